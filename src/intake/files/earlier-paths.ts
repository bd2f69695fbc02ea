import type { Problem } from '#brand/finding.ts'
import { quote } from '#platform/base/text.ts'
import { isName, pathFinder } from '../pages/link-target.ts'
import type { Reference } from '../yaml/references.ts'

/**
 * Makes a function that resolves `earlier` in files.yaml, the former paths of a file, to paths from the project folder.
 * Reports and omits a path that is an existing file, that another file has as `earlier` too, or that no file can have.
 */
export function earlierPathReader(
  existing: readonly string[],
  report: (problem: Problem, reference: Reference) => void,
): (file: string, earlier: readonly Reference[]) => readonly string[] {
  const find = pathFinder(existing)
  /** The file with each earlier path. */
  const owners = new Map<string, string>()
  /** The end of a sentence that begins with "which"; undefined if the path is right. */
  const problemOf = (file: string, path: string) => {
    const owner = owners.get(path)
    if (!path.split('/').every(isName)) return 'is not the path of a file'
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
    report({ rule: 'value-invalid', line, message }, reference)
    return []
  }
  return (file, earlier) => [...new Set(earlier.flatMap(reference => readPath(file, reference)))]
}

const PARTS = ['files/', 'pages/']
