import type { Problem } from '#brand/finding.ts'
import { quote } from '#platform/base/text.ts'
import { pathFinder } from '../pages/link-target.ts'
import type { Reference } from '../yaml/references.ts'

/**
 * Makes the function that turns the `earlier` of a file into paths from the folder of the project. Reports and omits a
 * path that exists, that another file has too, or that no file can have; once for an entry with a pattern.
 */
export function earlierPathReader(
  existing: readonly string[],
  report: (problem: Problem) => void,
): (file: string, earlier: readonly Reference[]) => readonly string[] {
  const find = pathFinder(existing)
  const owners = new Map<string, string>()
  const reported = new Set<Reference>()
  const problemOf = (file: string, path: string) => {
    const owner = owners.get(path)
    if (path.split('/').some(name => NO_NAMES.has(name))) return 'is not the path of a file'
    if (find(path) !== undefined) return 'is an existing file'
    return owner === undefined || owner === file ? undefined : `${quote(owner)} has too`
  }
  const readPath = (file: string, reference: Reference) => {
    const { text, line } = reference
    const path = (PARTS.some(part => text.startsWith(part)) ? text : `files/${text}`).normalize('NFC')
    const problem = problemOf(file, path)
    if (problem === undefined) {
      owners.set(path, file)
      return [path]
    }
    const message = `"earlier" of ${quote(file)} is ${quote(text)}, which ${problem}; correct it, or remove it`
    if (!reported.has(reference)) report({ rule: 'value-invalid', line, message })
    reported.add(reference)
    return []
  }
  return (file, earlier) => [...new Set(earlier.flatMap(reference => readPath(file, reference)))]
}

const PARTS = ['files/', 'pages/']

/** No file has a segment that is empty or dots in its path. */
const NO_NAMES: ReadonlySet<string> = new Set(['', '.', '..'])
