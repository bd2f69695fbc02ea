import { join } from 'node:path'
import { withoutUndefined } from '../../base/object.ts'
import { settleAll } from '../../base/promise.ts'
import { pluralize, quote } from '../../base/text.ts'
import type { Color } from '../../brand/color.ts'
import {
  type BrandFile,
  type FileOverrides,
  type FontMetadata,
  filename,
  type ImageMetadata,
} from '../../brand/file.ts'
import type { Problem } from '../../brand/finding.ts'
import type { Hash } from '../../brand/ids.ts'
import { currentFingerprintOf, versionOf } from '../folder/file-version.ts'
import { breakingFindings, problem } from '../folder/findings.ts'
import { fileChunks } from '../folder/open-file.ts'
import { readTextFile } from '../folder/text-file.ts'
import { Unreadable, unreadableProblem } from '../folder/unreadable.ts'
import type { WalkedFile } from '../folder/walk.ts'
import type { MediaReading } from '../media/media.ts'
import type { FontVariation } from '../media/media-task.ts'
import { indexPaths } from '../pages/link-target.ts'
import { hasPart, inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'
import { advice } from '../yaml/nearest.ts'
import { suggester } from '../yaml/references.ts'
import { type FindFile, resolveFileNotes } from './file-notes.ts'
import { type FileEntry, readFilesFile } from './files-file.ts'

/** A file as read, before details from files.yaml and alt texts from pages are added. */
export type ReadFile = BrandFile & {
  embedded?: string
  variation?: FontVariation
  /** The reason why a font must not be used on the web, if its metadata forbids it. */
  webObstacle?: string
}

/**
 * Reads the files of a project, several at once, and returns them in path order. An unreadable file is skipped with a
 * finding.
 */
export async function readFiles(reading: ProjectReading, files: readonly WalkedFile[]): Promise<ReadFile[]> {
  const read: (ReadFile | undefined)[] = Array.from({ length: files.length })
  let next = 0
  const work = async () => {
    while (next < files.length) {
      reading.options.signal.throwIfAborted()
      const at = next++
      const file = files[at]
      if (file) read[at] = await readFile(reading, file)
      reading.advance()
    }
  }
  await settleAll(Array.from({ length: MAX_AT_ONCE }, work))
  return read.filter(file => file !== undefined)
}

/** The number of files read at once: enough to keep the font and picture processes busy. */
const MAX_AT_ONCE = 48

async function readFile(reading: ProjectReading, file: WalkedFile): Promise<ReadFile | undefined> {
  const { project, findings, options } = reading
  const { maxFile } = options.caps
  if (file.size > maxFile) {
    const message = `has ${file.size} bytes, more than the limit of ${maxFile}: make it smaller, or raise --max-file`
    breakingFindings(findings, pathIn(reading, file)).add(project.id, file.path, problem('too-large', message))
    return undefined
  }
  const content = await readContent(reading, file)
  if (!content) return undefined
  const { size, hash, contentType, metadata, description: embedded, variation, webObstacle, problems } = content
  // A font that is missing because of the problem is only its consequence.
  const breaks = { paths: [pathIn(reading, file)] }
  findings.add(project.id, file.path, ...problems.map(each => ({ ...each, breaks })))
  const path = pathIn(reading, file)
  return withoutUndefined({ path, size, contentType, hash, metadata, embedded, variation, webObstacle })
}

function pathIn({ project }: ProjectReading, { path }: WalkedFile): string {
  return path.slice(inFolder(project.folder, '').length)
}

/** Facts that depend only on the bytes and name of a file. */
type FileContent = MediaReading & { size: number; hash: Hash }

async function readContent(reading: ProjectReading, file: WalkedFile): Promise<FileContent | undefined> {
  const { root, project, findings, options } = reading
  const { path, fingerprint, identity } = file
  const cached = fingerprint === undefined ? undefined : await options.readCache.find(path, fingerprint)
  if (cached !== undefined) return JSON.parse(cached)
  const absolute = join(root, path)
  const chunks = fileChunks(absolute, identity)
  try {
    const hash = await options.writer.file(chunks)
    const { size, stat } = chunks
    const content = { size, hash, ...(await options.media.read(absolute, filename(path), stat && versionOf(stat))) }
    if (fingerprint !== undefined && stat && currentFingerprintOf(stat) === fingerprint && isLasting(content))
      await options.readCache.keep(path, fingerprint, { kind: 'file', content: hash, reading: JSON.stringify(content) })
    return content
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    breakingFindings(findings, pathIn(reading, file)).add(project.id, path, unreadableProblem(error, path))
    return undefined
  }
}

/**
 * Whether another attempt would give the same result. A font or picture may be unreadable for lack of time or memory.
 */
function isLasting({ problems }: MediaReading): boolean {
  return problems.every(({ rule }) => rule !== 'font-unreadable' && rule !== 'picture-unreadable')
}

/**
 * Adds details from files.yaml and pages to each file. files.yaml overrides the file's own metadata. The description of
 * a picture comes from files.yaml, else from the alt text on a page, else from the picture itself.
 *
 * @param isDescribed whether the walk found files.yaml
 * @param colors the colours of the project, which files may refer to
 */
export function describeFiles(
  reading: ProjectReading,
  files: readonly ReadFile[],
  altTexts: ReadonlyMap<string, string>,
  isDescribed: boolean,
  colors: readonly Color[],
): BrandFile[] {
  const { entries, find } = readEntries(reading, files, isDescribed)
  const notes = resolveFileNotes(reading, entries, find, files, colors)
  return files.map(file => {
    const entry = entries.get(file.path)
    const overrides = entry?.overrides ?? {}
    const { path, size, hash } = file
    const contentType = overrides.contentType ?? file.contentType
    if (entry) reportUnused(reading, entry, contentType)
    if (entry) reportExpiring(reading, entry)
    const metadata = metadataOf(contentType, file, overrides, altTexts.get(path))
    return { ...withoutUndefined({ path, size, contentType, hash, metadata }), ...notes.get(path) }
  })
}

function readEntries(
  { root, project, findings }: ProjectReading,
  files: readonly ReadFile[],
  isDescribed: boolean,
): { entries: ReadonlyMap<string, FileEntry>; find: FindFile } {
  const known = indexPaths(files.map(file => file.path))
  const at = (key: string) => known.get(key) ?? known.get(key.normalize('NFC'))
  const find = (key: string) => at(`files/${key}`) ?? at(`pages/${key}`) ?? at(key)
  const path = inFolder(project.folder, 'files/files.yaml')
  const text = hasPart(project.folder, 'files')
    ? readTextFile(root, path, project.id, findings, isDescribed)
    : undefined
  const misspelt = text === undefined && files.find(file => MISSPELT.test(file.path))
  if (misspelt) findings.add(project.id, inFolder(project.folder, misspelt.path), problem('not-read', RENAME))
  if (text === undefined) return { entries: new Map(), find }
  const { files: written, problems } = readFilesFile(text)
  findings.add(project.id, path, ...problems)
  const entries = new Map<string, FileEntry>()
  const suggest = suggester(files.values().map(file => file.path.replace(/^(?:files|pages)\//, '')))
  for (const entry of written) {
    const target = find(entry.path)
    const first = target === undefined ? undefined : entries.get(target)
    if (target === undefined) findings.add(project.id, path, describedMissing(entry, suggest(entry.path)))
    else if (first) findings.add(project.id, path, problem('yaml-duplicate-key', duplicate(entry, first), entry.line))
    else entries.set(target, entry)
  }
  return { entries, find }
}

/** A file that is meant as files.yaml. */
const MISSPELT = /^(?:files|pages)\/files?\.ya?ml(?:\.txt)?$/i
const RENAME = 'is not read, so it describes no file: rename it to files/files.yaml'

function describedMissing({ path, line }: FileEntry, meant: string | undefined): Problem {
  const help = advice(meant, 'correct the path, or remove the entry')
  const missing = problem(
    'file-described-missing',
    `${quote(path)} is not a file under files/ or pages/; ${help}`,
    line,
  )
  return { ...missing, missing: { path: path.replace(/^(?:files\/)?/, 'files/') } }
}

function duplicate(entry: FileEntry, first: FileEntry): string {
  return `${quote(entry.path)} is the same file as ${quote(first.path)} on line ${first.line}; keep one of the two`
}

function reportUnused(
  { project, findings }: ProjectReading,
  { path, line, lines, overrides }: FileEntry,
  contentType: string,
): void {
  const fields: readonly string[] = ['contentType', ...fieldsOf(contentType)]
  for (const field of Object.keys(overrides)) {
    if (fields.includes(field)) continue
    const message = `files of type ${contentType} have no ${field}, so the value for ${quote(path)} is ignored: remove it`
    const at = inFolder(project.folder, 'files/files.yaml')
    findings.add(project.id, at, problem('description-unused', message, lines.get(field) ?? line))
  }
}

function reportExpiring(
  { project, findings, options: { today } }: ProjectReading,
  { path, line, lines, notes: { until } }: FileEntry,
): void {
  if (today === undefined || until === undefined) return
  const days = (Date.parse(until) - Date.parse(today)) / DAY_MS
  if (days > MAX_NOTICE_DAYS) return
  const when =
    days < 0 ? `ended on ${until}` : `ends on ${until}, ${days === 0 ? 'today' : `in ${pluralize(days, 'day')}`}`
  const message = `the right to use ${quote(path)} ${when}: extend it and write the new day, or remove the file`
  const at = inFolder(project.folder, 'files/files.yaml')
  findings.add(project.id, at, problem('file-expiring', message, lines.get('until') ?? line))
}

const DAY_MS = 86_400_000
const MAX_NOTICE_DAYS = 30

function fieldsOf(contentType: string): readonly string[] {
  if (contentType.startsWith('font/')) return FONT_FIELDS
  return contentType.startsWith('image/') ? IMAGE_FIELDS : []
}

const FONT_FIELDS = ['family', 'subFamily', 'weight', 'style'] as const
const IMAGE_FIELDS = ['description', 'width', 'height'] as const

function metadataOf(
  contentType: string,
  { metadata = {}, embedded }: ReadFile,
  overrides: FileOverrides,
  alt: string | undefined,
): FontMetadata | ImageMetadata | undefined {
  const description = alt ?? embedded
  const given = { ...withoutUndefined({ description }), ...metadata, ...overrides }
  const fields = fieldsOf(contentType).flatMap(field => {
    const value = Object.entries(given).find(([key]) => key === field)?.[1]
    return value === undefined ? [] : [[field, value] as const]
  })
  return fields.length > 0 ? Object.fromEntries(fields) : undefined
}
