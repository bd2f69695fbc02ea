import type { Color } from '#brand/color.ts'
import {
  type BrandFile,
  daysLeft,
  type FileOverrides,
  type FolderNotes,
  filename,
  type ImageMetadata,
  noticeOf,
} from '#brand/file.ts'
import type { Problem } from '#brand/finding.ts'
import { pathWithoutFormat } from '#brand/library.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import { pick, unlessEmpty, valuesAt, withoutUndefined } from '#platform/base/object.ts'
import { pluralize, quote } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import { yamlStem } from '../folder/near-misses.ts'
import { readTextFile } from '../folder/text-file.ts'
import { foldersOf, pathFinder } from '../pages/link-target.ts'
import { hasPart, inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'
import { advice } from '../yaml/nearest.ts'
import { suggester } from '../yaml/references.ts'
import { belowParts, type FindFile, resolveFileNotes } from './file-notes.ts'
import { coveredPaths, isPattern, type MatchedEntry, mergeEntries } from './file-patterns.ts'
import type { ReadFile } from './files.ts'
import { FILES_YAML, type FileEntry, type FolderEntry, readFilesFile, resolveFolders } from './files-file.ts'

/**
 * Adds details from files.yaml and pages to each file. files.yaml overrides the file's own metadata. The description of
 * a picture comes from files.yaml, else from the alt text on a page, else from the picture itself.
 *
 * @param all also the files that a translation has from its original, whose folders it describes itself
 * @param isDescribed whether the walk found files.yaml
 * @param colors the colours of the project, which files may refer to
 */
export function describeFiles(
  reading: ProjectReading,
  files: readonly ReadFile[],
  all: readonly ReadFile[],
  altTexts: ReadonlyMap<string, string>,
  isDescribed: boolean,
  colors: readonly Color[],
): { files: BrandFile[]; folders: readonly FolderNotes[] } {
  const { matched, folders, find } = readEntries(reading, files, isDescribed)
  const entries = mergeEntries(matched, find)
  const notes = resolveFileNotes(reading, entries, find, { files, all }, colors)
  const described = files.map(file => {
    const overrides = entries.get(file.path)?.overrides ?? {}
    const { path, size, hash, names, isAnimated } = file
    const contentType = overrides.contentType ?? file.contentType
    const metadata = metadataOf(contentType, file, overrides, altTexts.get(path))
    return { ...withoutUndefined({ path, size, contentType, hash, metadata, names, isAnimated }), ...notes.get(path) }
  })
  const types = new Map(described.map(({ path, contentType }) => [path, contentType]))
  for (const { entry, paths } of matched) {
    reportUnused(reading, entry, new Set(valuesAt(types, paths)))
    reportExpiring(reading, entry)
  }
  return { files: described, folders: resolveFolders(reading, folders, all) }
}

/**
 * Reads files.yaml, and matches its entries with files. `find` gives the file for a path that is written there, with or
 * without `files/` or `pages/`.
 */
function readEntries(
  reading: ProjectReading,
  files: readonly ReadFile[],
  isDescribed: boolean,
): { matched: readonly MatchedEntry[]; folders: readonly FolderEntry[]; find: FindFile } {
  const paths = files.map(file => file.path)
  const findPath = pathFinder(paths)
  const find = (key: string) => ['files/', 'pages/', ''].flatMap(part => findPath(part + key) ?? [])[0]
  const text = readDescriptions(reading, paths, isDescribed)
  if (text === undefined) return { matched: [], folders: [], find }
  const { files: entries, folders = [], problems } = readFilesFile(text)
  reading.report(FILES_YAML, ...problems)
  return { matched: matchEntries(reading, entries, paths, find), folders, find }
}

/** The text of files.yaml. Without one, reports a file that is meant as it. */
function readDescriptions(
  { root, project: { id, folder }, findings, report }: ProjectReading,
  paths: readonly string[],
  isDescribed: boolean,
): string | undefined {
  const place = inFolder(folder, FILES_YAML)
  const text = hasPart(folder, 'files') ? readTextFile(root, place, id, findings, isDescribed) : undefined
  const misspelt = text === undefined && paths.find(path => MISSPELT.has(yamlStem(belowParts(path))))
  if (misspelt) report(misspelt, problem('not-read', RENAME))
  return text
}

/** The entries that have files. Reports those without one, and several for one exact path. */
function matchEntries(
  { report }: ProjectReading,
  entries: readonly FileEntry[],
  allPaths: readonly string[],
  find: FindFile,
): MatchedEntry[] {
  /** The first entry of each file that is written with its exact path. */
  const exactEntries = new Map<string, FileEntry>()
  const suggestPath = pathSuggester(allPaths)
  const matchFile = (entry: FileEntry, file: string): MatchedEntry[] => {
    const first = exactEntries.get(file)
    if (first) {
      report(FILES_YAML, problem('yaml-duplicate-key', duplicate(entry, first), entry.line))
      return []
    }
    exactEntries.set(file, entry)
    return [{ entry, paths: [file], isExact: true }]
  }
  return entries.flatMap(entry => {
    const file = find(entry.path)
    if (file !== undefined) return matchFile(entry, file)
    const paths = isPattern(entry) ? coveredPaths(entry, allPaths) : []
    if (paths.length > 0) return [{ entry, paths, isExact: false }]
    report(FILES_YAML, describedMissing(entry, suggestPath(entry.path)))
    return []
  })
}

/** Makes a function that suggests a path as files.yaml has it: the folder of this name, or else the most similar path. */
function pathSuggester(allPaths: readonly string[]): (path: string) => string | undefined {
  const folderPaths = Array.from(foldersOf(allPaths), folder => `${folder}/`)
  const writablePaths = new Set([...allPaths, ...folderPaths].map(belowParts))
  const suggest = suggester(writablePaths)
  return path => (writablePaths.has(`${path}/`) ? `${path}/` : suggest(path))
}

/** A file that is meant as files.yaml. */
const MISSPELT: ReadonlySet<string | undefined> = new Set(['file', 'files'])
const RENAME = 'is not read, so it describes no file: rename it to files/files.yaml'

function describedMissing(entry: FileEntry, meant: string | undefined): Problem {
  const { path, line } = entry
  const why = isPattern(entry) ? 'covers no file' : 'is not a file'
  const message = `${quote(path)} ${why} under files/ or pages/; ${advice(meant, 'correct the path, or remove the entry')}`
  const missing = { path: path.startsWith('files/') ? path : `files/${path}` }
  return { ...problem('file-described-missing', message, line), ...(!isPattern(entry) && { missing }) }
}

function duplicate(entry: FileEntry, first: FileEntry): string {
  return `${quote(entry.path)} is the same file as ${quote(first.path)} on line ${first.line}; keep one of the two`
}

/** Reports the fields of an entry that none of its files can have, such as `weight` for pictures. */
function reportUnused(
  { report }: ProjectReading,
  { path, line, lines, overrides }: FileEntry,
  contentTypes: ReadonlySet<string>,
): void {
  const fields: ReadonlySet<string> = new Set(['contentType', ...[...contentTypes].flatMap(fieldsOf)])
  for (const field of Object.keys(overrides)) {
    if (fields.has(field)) continue
    const message = `files of type ${[...contentTypes].join(', ')} have no ${field}, so the value for ${quote(path)} is ignored: remove it`
    report(FILES_YAML, problem('description-unused', message, lines.get(field) ?? line))
  }
}

function reportExpiring(
  { report, options: { today, reportsExpiry } }: ProjectReading,
  { path, line, lines, notes: { until } }: FileEntry,
): void {
  if (!reportsExpiry || until === undefined) return
  if (noticeOf({ until }, today) === undefined) return
  const days = daysLeft(until, today)
  const when =
    days < 0 ? `ended on ${until}` : `ends on ${until}, ${days === 0 ? 'today' : `in ${pluralize(days, 'day')}`}`
  const message = `the right to use ${quote(path)} ${when}: extend it and write the new day, or remove the file`
  report(FILES_YAML, problem('file-expiring', message, lines.get('until') ?? line))
}

function fieldsOf(contentType: string): readonly Field[] {
  const [kind = ''] = contentType.split('/', 1)
  return FIELDS.get(kind) ?? []
}

type Field = 'family' | 'subFamily' | 'weight' | 'style' | 'description' | 'width' | 'height'

/** The fields of files by the first part of their content type. */
const FIELDS: ReadonlyMap<string, readonly Field[]> = new Map([
  ['font', ['family', 'subFamily', 'weight', 'style']],
  ['image', ['description', 'width', 'height']],
])

function metadataOf(
  contentType: string,
  { path, metadata = {}, embedded }: ReadFile,
  overrides: FileOverrides,
  alt: string | undefined,
): FontMetadata | ImageMetadata | undefined {
  // Drawing programs write the name of the file as its title.
  const description = alt ?? (embedded === filename(pathWithoutFormat(path)) ? undefined : embedded)
  // The last value of a field counts.
  const given = { ...withoutUndefined({ description }), ...metadata, ...overrides }
  return unlessEmpty(pick(given, fieldsOf(contentType)))
}
