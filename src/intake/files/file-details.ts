import { quote } from '../../base/text.ts'
import type { BrandFile, FontMetadata, ImageMetadata } from '../../brand/file.ts'
import { problem } from '../folder/findings.ts'
import { readTextFile } from '../folder/text-file.ts'
import { byName } from '../pages/link-target.ts'
import type { ProjectReading } from '../project/project-context.ts'
import { hasPart, inFolder } from '../project/project-folder.ts'
import { type FileEntry, type FileOverrides, readFilesFile } from './files-file.ts'
import type { ReadFile } from './project-files.ts'

const FONT_FIELDS = ['family', 'subFamily', 'weight', 'style'] as const
const IMAGE_FIELDS = ['description', 'width', 'height'] as const

/**
 * Adds to each file what others say of it. files.yaml overrides what the file says. A picture's description comes from
 * files.yaml, else from the alt text that a page gives it, else from the picture itself.
 *
 * @param isDescribed whether there was a files.yaml a moment ago
 */
export async function describeFiles(
  reading: ProjectReading,
  files: readonly ReadFile[],
  altTexts: ReadonlyMap<string, string>,
  isDescribed: boolean,
): Promise<BrandFile[]> {
  const entries = await readEntries(reading, files, isDescribed)
  return files.map(file => {
    const entry = entries.get(file.path)
    const overrides = entry?.overrides ?? {}
    const { path, size, hash } = file
    const contentType = overrides.contentType ?? file.contentType
    if (entry) reportUnused(reading, entry, contentType)
    const metadata = metadataOf(contentType, file, overrides, altTexts.get(path))
    return { path, size, contentType, hash, ...(metadata && { metadata }) }
  })
}

async function readEntries(
  { root, project, findings }: ProjectReading,
  files: readonly ReadFile[],
  isDescribed: boolean,
): Promise<ReadonlyMap<string, FileEntry>> {
  const path = inFolder(project.folder, 'files/files.yaml')
  const text = hasPart(project.folder, 'files')
    ? readTextFile(root, path, project.id, findings, isDescribed)
    : undefined
  if (text === undefined) return new Map()
  const { files: written, problems } = readFilesFile(text)
  findings.add(project.id, path, ...problems)
  const known = byName(files.map(file => file.path))
  const find = (key: string) => known.get(key) ?? known.get(key.normalize('NFC'))
  const entries = new Map<string, FileEntry>()
  for (const entry of written) {
    const key = entry.path
    const found = find(`files/${key}`) ?? find(`pages/${key}`) ?? find(key)
    const message = `${quote(entry.path)} is no file under files/ or pages/: correct the path, or remove the entry`
    const first = found === undefined ? undefined : entries.get(found)
    if (found === undefined) findings.add(project.id, path, problem('file-described-missing', message, entry.line))
    else if (first) findings.add(project.id, path, problem('yaml-duplicate-key', same(entry, first), entry.line))
    else entries.set(found, entry)
  }
  return entries
}

function same(entry: FileEntry, first: FileEntry): string {
  return `${quote(entry.path)} is the file that ${quote(first.path)} on line ${first.line} describes; keep one of the two`
}

function reportUnused(
  { project, findings }: ProjectReading,
  { path, line, lines, overrides }: FileEntry,
  contentType: string,
): void {
  const taken: readonly string[] = ['contentType', ...fieldsOf(contentType)]
  for (const field of Object.keys(overrides)) {
    if (taken.includes(field)) continue
    const message = `files of type ${contentType} have no ${field}, so what is written for ${quote(path)} is left out: remove it`
    const at = inFolder(project.folder, 'files/files.yaml')
    findings.add(project.id, at, problem('description-unused', message, lines.get(field) ?? line))
  }
}

function fieldsOf(contentType: string): readonly string[] {
  if (contentType.startsWith('font/')) return FONT_FIELDS
  return contentType.startsWith('image/') ? IMAGE_FIELDS : []
}

function metadataOf(
  contentType: string,
  { metadata = {}, embedded }: ReadFile,
  overrides: FileOverrides,
  alt: string | undefined,
): FontMetadata | ImageMetadata | undefined {
  const description = alt ?? embedded
  const given = { ...(description !== undefined && { description }), ...metadata, ...overrides }
  const fields = fieldsOf(contentType).flatMap(field => {
    const value = Object.entries(given).find(([key]) => key === field)?.[1]
    return value === undefined ? [] : [[field, value] as const]
  })
  return fields.length > 0 ? Object.fromEntries(fields) : undefined
}
