import { fileURLToPath } from 'node:url'
import { withoutUndefined } from '../../base/object.ts'
import { ok, type Result } from '../../base/result.ts'
import { type BrandFile, filename, isExpired } from '../../brand/file.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { contentId } from './content-id.ts'
import { fileSearchText } from './item-text.ts'
import { matching } from './matching.ts'
import { openProject, type Reader } from './reader.ts'
import { fittingEntries } from './reply-size.ts'
import type { Arguments } from './tool.ts'

/** The files of a project, with addresses and permitted uses. */
export async function listFiles(reader: Reader, { project, query, type }: Arguments): Promise<Result<object, string>> {
  const opened = openProject(reader, project)
  if (!opened.ok) return opened
  const { record, content } = opened.value
  const [files, colors] = [await content.files(), await content.colors()]
  const ofType = [...files.values()].filter(file => isOfType(file, type))
  const matches = await matching(ofType, query, file => fileSearchText(file, colors, files))
  const entries = fittingEntries(matches.values().map(file => entryOf(reader, opened.value, file)))
  const hint =
    entries.length < matches.length
      ? `Only ${entries.length} of ${matches.length} files are listed. Name a query or a type.`
      : matches.length === 0 && files.size > 0
        ? `Nothing matches. The types here are: ${typesOf(files.values()).join(', ')}.`
        : undefined
  return ok({
    workspace: record.workspace,
    project: record.project,
    total: matches.length,
    files: entries,
    ...withoutUndefined({ hint }),
  })
}

/** A file with the fields of the API, and the website fields about its use. */
function entryOf({ addresses }: Reader, { record, content }: Publication, file: BrandFile): object {
  const url = addresses.file(record, file)
  const { path, title, size, contentType, metadata, ground, medium, minWidth, licence, territory, until, variantOf } =
    file
  return withoutUndefined({
    id: contentId('file', record.project, path),
    title,
    filename: filename(path),
    size,
    contentType,
    url,
    path: url.startsWith('file:') ? fileURLToPath(url) : undefined,
    metadata,
    ground,
    medium,
    minWidth,
    licence,
    territory,
    until,
    isExpired: until === undefined ? undefined : isExpired(file, content.today()),
    variantOf: variantOf === undefined ? undefined : contentId('file', record.project, variantOf),
  })
}

/** Whether a file has a content type (`image/png`), a kind of it (`image`), or a filename extension (`svg`). */
function isOfType({ path, contentType }: BrandFile, type: string): boolean {
  const wanted = type.toLowerCase().replace(/^\.|\/\*$/g, '')
  return (
    contentType === wanted ||
    contentType.startsWith(`${wanted}/`) ||
    wanted === '' ||
    path.toLowerCase().endsWith(`.${wanted}`)
  )
}

function typesOf(files: Iterable<BrandFile>): string[] {
  return [...new Set(Iterator.from(files).map(({ contentType }) => contentType))].sort().slice(0, 20)
}
