import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, extname, parse } from 'node:path'
import { errorCode, OperationalError } from '#platform/base/error.ts'
import { inFormats, wordTable } from '#platform/base/text.ts'
import { uniqueNames } from '../report/report.ts'
import { isArchive, listArchive } from './archive.ts'
import { fileEntry, listFolder } from './folder.ts'
import { isPage, pageKind } from './leave-out.ts'
import { bytesEntry, type Entry, type Listing } from './source.ts'
import { isStyleFile } from './style-names.ts'

/** A source as the user named it, with its absolute path; for stdin with its bytes. */
export type NamedSource = { name: string; path: string; bytes?: Buffer }

/**
 * Opens folders, archives and single files. Unless a source is the only one, the report begins each path with its name,
 * with a number if two have the same. `target` is the folder to be written, which is no part of a source; closing `opened` closes all.
 *
 * @throws OperationalError `source_unreadable`, or `usage` for a folder that needs no conversion
 */
export async function openSources(
  sources: readonly NamedSource[],
  { target, isOnly, opened }: { target: string; isOnly: boolean; opened: AsyncDisposableStack },
): Promise<Listing[]> {
  const takeName = uniqueNames()
  const listings: Listing[] = []
  for (const [rank, source] of sources.entries()) {
    const { name, ext } = parse(source.path)
    const label = takeName(name, ext)
    const named = { path: source.name, rank, isOnly }
    const place = isOnly ? { path: basename(source.path), prefix: '' } : { path: label, prefix: `${label}/` }
    const listing = await openSource(source, place, { target, opened, named })
    markDownloads(listing)
    listings.push(listing)
    const brand = listing.entries.find(({ path }) => /^(?:workspace|(?:[^/.]+\/)?project)\.yaml$/.test(path))
    if (brand) throw new OperationalError('usage', `${source.name} is a brand folder already: it has ${brand.path}`)
  }
  return listings
}

/** A Word file beside pages is a download, such as a template for letters; alone, it is a page. */
function markDownloads({ entries }: Listing): void {
  const documents = entries.filter(entry => pageKind(entry) === 'docx')
  if (entries.some(entry => isPage(entry.path) && !documents.includes(entry)))
    for (const entry of documents) entry.isDownload = true
}

/** Opens a source: `place` is the path of a single file, and what begins the paths of several. */
async function openSource(
  { name, path, bytes }: NamedSource,
  place: { path: string; prefix: string },
  { target, opened, named }: { target: string; opened: AsyncDisposableStack; named: Named },
): Promise<Listing> {
  if (bytes) return listFile(bytesEntry({ path: place.path, label: '' }, bytes), named)
  const found = await stat(path).catch((error: unknown): Stats => {
    const code = String(errorCode(error))
    throw new OperationalError('source_unreadable', `cannot read ${name}: ${WHY.get(code) ?? code}`)
  })
  if (found.isDirectory()) return listFolder(path, place.prefix, target)
  if (!found.isFile()) throw new OperationalError('source_unreadable', `cannot read ${name}: it is no plain file`)
  if (isArchive(path)) return listArchive(path, place.prefix, opened)
  return listFile(fileEntry(await realpath(path), place.path, '', found), named)
}

const WHY = wordTable([['there is no such file or folder', 'ENOENT ENOTDIR']])

type Named = NonNullable<Entry['named']>

/** A single file, which is read for styles if its name allows them. */
function listFile(entry: Entry, named: Named): Listing {
  const { path, size } = entry
  const isOfStyles = isStyleFile(path) || TEXTS.test(path)
  if (isOfStyles && size > MAX_STYLE_BYTES)
    throw new OperationalError('source_unreadable', `${path} has more than 16 MiB: name a smaller file`)
  return { name: basename(path, extname(path)), entries: [isOfStyles ? { ...entry, named } : entry], leftOut: [] }
}

/** Other formats of palettes and tokens, which a user may name. */
const TEXTS = inFormats('txt, yml, yaml, xml')
/** The limit of a file with styles. */
export const MAX_STYLE_BYTES = 16 << 20
