import type { Color } from '#brand/color.ts'
import {
  type BrandFile,
  type FileNotes,
  type FolderNotes,
  isHeavyPicture,
  isPicture,
  pictureMetadata,
} from '#brand/file.ts'
import type { Problem } from '#brand/finding.ts'
import { openFormatFolders } from '#brand/format-folders.ts'
import { formatGroups } from '#brand/library.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import { pictureFormatProblem } from '../media/picture-format.ts'
import type { PicturePlace } from '../pages/page-links.ts'
import type { ProjectReading } from '../reading.ts'
import { missingReference, type Reference, reportOnce, styleFinder, suggester, targetOf } from '../yaml/references.ts'
import { earlierPathReader } from './earlier-paths.ts'
import { FILES_YAML, type FileEntry } from './files-file.ts'

/** Finds the project path of a file from the path written in files.yaml. */
export type FindFile = (written: string) => string | undefined

/** A path below `files/` or `pages/`, as in files.yaml. */
export function belowParts(path: string): string {
  return path.replace(/^(?:files|pages)\//, '')
}

/** Website-only details of files, keyed by path. Broken references are reported and omitted. */
export function resolveFileNotes(
  { report }: ProjectReading,
  entries: ReadonlyMap<string, FileEntry>,
  find: FindFile,
  // `all` also has the files that a translation has from its original.
  { files, all }: Readonly<Record<'files' | 'all', readonly Pick<BrandFile, 'path'>[]>>,
  colors: readonly Color[],
): ReadonlyMap<string, FileNotes> {
  const findColor = styleFinder('styles/colors.yaml', colors)
  const paths = files.map(({ path }) => belowParts(path))
  const findMain = mainFileFinder(entries, find, paths)
  const reportFirst = reportOnce(problem => report(FILES_YAML, problem))
  const readEarlier = earlierPathReader(
    all.map(({ path }) => path),
    reportFirst,
  )
  const notesOf = (path: string, { ground, variantOf, earlier, ...notes }: FileEntry['notes']) => ({
    ...notes,
    ...withoutUndefined({
      ground: targetOf(ground, reference => findColor('"ground"', reference), reportFirst),
      variantOf: targetOf(variantOf, reference => findMain(path, reference), reportFirst),
      earlier: earlier && readEarlier(path, earlier),
    }),
  })
  return new Map(Array.from(entries, ([path, { notes }]) => [path, notesOf(path, notes)]))
}

/**
 * Gives each format of an item the uses and rights that it lacks, from the first format that has them: if only
 * `logo.svg` has `minWidth`, `logo.png` gets it too.
 */
export function shareUses(files: readonly BrandFile[], folders: readonly FolderNotes[]): readonly BrandFile[] {
  if (!files.some(file => USES.some(key => file[key] !== undefined))) return files
  const sharedUses = new Map<string, FileNotes>()
  const byPath = new Map(files.map(file => [file.path, file]))
  for (const group of formatGroups(byPath, openFormatFolders(byPath.keys(), folders))) {
    const uses = USES.flatMap(key => {
      const file = group.find(each => each[key] !== undefined)
      return file ? [[key, file[key]]] : []
    })
    for (const { path } of group) sharedUses.set(path, Object.fromEntries(uses))
  }
  return files.map(file => ({ ...sharedUses.get(file.path), ...file }))
}

const USES = ['medium', 'minWidth', 'clearSpace', 'clearSpaceOf', 'licence', 'territory', 'until'] as const

/**
 * Makes a function that finds the original of a variant. It must not be a variant itself, so that all formats are
 * grouped together.
 */
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
    const mainOfMain = entries.get(main)?.notes.variantOf
    if (main !== path && !mainOfMain) return ok(main)
    const why = mainOfMain && main !== path ? `is itself a variant of ${quote(mainOfMain.text)}` : 'is the same file'
    const message = `"variantOf" is ${quote(reference.text)}, which ${why}; write the path of the original file`
    return failed({ rule: 'value-invalid', line: reference.line, message })
  }
}

/** Reports pictures that pages show and that are too heavy for a page. Files that are only downloads may be heavier. */
export function checkPictures(
  { report }: ProjectReading,
  files: readonly BrandFile[],
  pathsOnPages: ReadonlySet<string | undefined>,
): void {
  for (const file of files) {
    if (!pathsOnPages.has(file.path) || !isHeavyPicture(file)) continue
    if (pictureFormatProblem('', file.contentType, null)) continue // It is reported with the fix for its format.
    const message = `is shown on a page, but has ${sizeOf(file)}; pages show at most 5 MB and 40 megapixels: save a smaller picture for the page, and link to this one for downloads`
    report(file.path, problem('picture-pixels', message))
  }
}

/** Reports pictures on pages that neither the page nor files.yaml nor the file itself describes. */
export function checkAltTexts(
  { report }: ProjectReading,
  files: readonly BrandFile[],
  places: readonly PicturePlace[],
): void {
  const undescribed = files.filter(file => isPicture(file) && pictureMetadata(file).description === undefined)
  const paths = new Set(undescribed.map(({ path }) => path))
  for (const { file, source, line } of places) {
    if (!paths.has(file)) continue
    const entry = `${quote(belowParts(file))}: { alt: … }`
    const message = `the picture ${quote(file)} has no alternative text: write what it shows, as in ![Our mark](…), or ${entry} in files/files.yaml; for decoration, write alt: "" there`
    report(source, problem('alt-missing', message, line))
  }
}

function sizeOf(file: BrandFile): string {
  const { width, height } = pictureMetadata(file)
  const megabytes = `${inTenths(file.size)} MB`
  return width && height ? `${megabytes} and ${inTenths(width * height)} megapixels (${width} × ${height})` : megabytes
}

/** In millions, rounded up, so that a value above a limit does not look equal to it. */
function inTenths(value: number): number {
  return Math.ceil(value / 100_000) / 10
}
