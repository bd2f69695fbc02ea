import { withoutUndefined } from '../../base/object.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import type { Color } from '../../brand/color.ts'
import type { BrandFile, FileNotes } from '../../brand/file.ts'
import type { Problem } from '../../brand/finding.ts'
import { inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'
import { missingReference, type Reference, styleFinder, suggester } from '../yaml/references.ts'
import type { FileEntry } from './files-file.ts'

/** Finds the project path of a file from the path written in files.yaml. */
export type FindFile = (written: string) => string | undefined

/** Website-only details of files, keyed by path. Broken references are reported and omitted. */
export function resolveFileNotes(
  { project, findings }: ProjectReading,
  entries: ReadonlyMap<string, FileEntry>,
  find: FindFile,
  files: readonly Pick<BrandFile, 'path'>[],
  colors: readonly Color[],
): ReadonlyMap<string, FileNotes> {
  const findColor = styleFinder(
    'colour',
    'styles/colors.yaml',
    colors.map(({ id }) => id),
  )
  const findMain = mainFileFinder(
    entries,
    find,
    files.map(({ path }) => path.replace(/^(?:files|pages)\//, '')),
  )
  const kept = <Value>(found: Result<Value, Problem> | undefined): Value | undefined => {
    if (found?.ok === false) findings.add(project.id, inFolder(project.folder, 'files/files.yaml'), found.problem)
    return found?.ok ? found.value : undefined
  }
  const notesOf = (path: string, { ground, variantOf, ...notes }: FileEntry['notes']) => ({
    ...notes,
    ...withoutUndefined({
      ground: kept(ground && findColor('"ground"', ground)),
      variantOf: kept(variantOf && findMain(path, variantOf)),
    }),
  })
  return new Map(Array.from(entries, ([path, { notes }]) => [path, notesOf(path, notes)]))
}

/** A variant must refer to an original that is not itself a variant, so that all formats are grouped together. */
function mainFileFinder(
  entries: ReadonlyMap<string, FileEntry>,
  find: FindFile,
  paths: readonly string[],
): (path: string, variantOf: Reference) => Result<string, Problem> {
  const suggest = suggester(paths)
  return (path, reference) => {
    const main = find(reference.text)
    if (main === undefined)
      return failed(
        missingReference('"variantOf"', reference, 'is not a file under files/ or pages/', suggest(reference.text)),
      )
    const further = entries.get(main)?.notes.variantOf
    if (main !== path && !further) return ok(main)
    const why = further && main !== path ? `is itself a variant of ${quote(further.text)}` : 'is the same file'
    const message = `"variantOf" is ${quote(reference.text)}, which ${why}; write the path of the original file`
    return failed({ rule: 'value-invalid', line: reference.line, message })
  }
}
