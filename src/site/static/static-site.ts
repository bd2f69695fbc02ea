import { mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { openPathAllocator } from '#brand/portable-paths.ts'
import { errorCode, OperationalError } from '#platform/base/error.ts'
import { headersOf, replyHeader } from '#platform/exchange/message.ts'
import {
  copyError,
  type FinderSource,
  type GuidePaths,
  type Item,
  normalPath,
  openFinder,
  pathPlace,
  referenceTo,
} from './address-finder.ts'
import { escapeAttribute, type RewriteReference, rewriteCss, rewriteHtml, rewriteText } from './references.ts'

/** The service that a copy is made of, and where the copy begins. */
export type SiteSource = FinderSource & {
  /** The first paths to copy, some with a place other than the default. The copy follows all links from there. */
  starts: readonly { path: string; place?: string; isOptional?: boolean }[]
  /** The scripts of the search. `placeOf` returns the reference from the root of the copy to a path. */
  searchScripts: (placeOf: (path: string) => Promise<string>) => AsyncIterable<{ name: string; text: string }>
}

/** A file of a copy: its path with `/`, and its bytes; a chunk is valid until the next one is requested. */
export type SiteFile = { path: string; chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array> }

/** A dead link: it becomes text in the copy. */
export type DeadLink = { from: string; to: string }

/** Receives the number of copied files, and of files known so far. */
type Copying = { signal: AbortSignal; progress: (at: { done: number; total: number }) => void }

type Listeners = {
  dead: (link: DeadLink) => void
  /** Receives the place in the copy for a path, normalized by `normalPath`. */
  placed: (path: string, place: string) => void
}

/**
 * Yields the files of a copy of a guide. Any host can serve the copy, below any path, and a browser can open it from a
 * folder. Read each file to its end before requesting the next one.
 *
 * @throws {OperationalError} if the service cannot answer
 */
export async function* staticSite(
  source: SiteSource,
  { dead, ...copying }: Copying & Pick<Listeners, 'dead'>,
): AsyncGenerator<SiteFile> {
  const copy = openCopy(source, { ...copying, dead, placed: () => undefined, followsLinks: true })
  for (const { path, place, isOptional } of source.starts) await copy.begin(path, place, isOptional)
  yield* copy.rest()
  for (const [from, to] of source.moved) yield await copy.moved(from, to)
  // The search adds more files, such as pictures of results.
  const inRoot = async (path: string) => (await copy.reference(path, { path: source.paths.home, place: ROOT })) ?? ''
  for await (const { name, text } of source.searchScripts(inRoot))
    yield { path: `-/search/index/${name}.js`, chunks: encodeText(text) }
  yield* copy.rest()
}

const ROOT = 'index.html'

/**
 * Yields pages and the files that they show, such as style sheets and pictures. A link to anything except one of these
 * pages becomes text.
 *
 * @throws {OperationalError} if the service cannot answer
 */
export async function* shownPages(
  source: FinderSource,
  pages: readonly string[],
  listeners: Copying & Pick<Listeners, 'placed'>,
): AsyncGenerator<SiteFile> {
  const copy = openCopy(source, { ...listeners, dead: () => undefined, followsLinks: false })
  for (const path of pages) await copy.begin(path)
  yield* copy.rest()
}

/**
 * Keeps the queue of files to copy and the places of known paths. Making a file finds its references, which adds further
 * files to the queue, so `rest` continues until nothing new is found.
 */
function openCopy(
  source: FinderSource,
  { signal, progress, dead, placed, followsLinks }: Copying & Listeners & { followsLinks: boolean },
) {
  const places = openPathAllocator()
  const queue: Item[] = []
  const add = (path: string, wanted: string): string => {
    const place = places.take(wanted)
    queue.push({ path, place })
    placed(normalPath(path) ?? '', place)
    return place
  }
  const finder = openFinder(source, add)
  const reference = referenceTo(source, finder.find)
  const linkReference = followsLinks ? reference : referenceTo(source, finder.placed)
  const file = async (item: Item): Promise<SiteFile> => {
    const rewrite = async (text: string, isLink = false) => {
      const target = await (isLink ? linkReference : reference)(exportTarget(source.paths, item, text), item)
      if (target === undefined) dead({ from: item.place, to: text })
      return target
    }
    return { path: item.place, chunks: await contentOf(source, item, rewrite, signal) }
  }
  let done = 0
  return {
    reference,
    begin: async (path: string, place?: string, isOptional = false) => {
      if (place !== undefined) finder.setPlace(path, add(path, place))
      else if ((await finder.find(path)) === undefined && !isOptional) throw copyError(path, 404)
    },
    rest: async function* (): AsyncGenerator<SiteFile> {
      for (let item = queue[done]; item; item = queue[done]) {
        signal.throwIfAborted()
        yield await file(item)
        done++
        progress({ done, total: queue.length })
      }
    },
    /** Makes the redirect page for the former address of a page. */
    moved: async (from: string, to: string): Promise<SiteFile> => {
      const place = places.take(pathPlace(source.paths, from) ?? '')
      const target = (await reference(to, { path: from, place })) ?? ''
      return { path: place, chunks: encodeText(redirectPage(target)) }
    },
  }
}

/** The target of a reference; in an export of a draft, it is the path of a file in the project. */
function exportTarget({ fileAddress }: GuidePaths, { place }: Item, text: string): string {
  return EXPORT.test(place) ? (fileAddress(decodeURI(text)) ?? text) : text
}

const EXPORT = /^-\/exports\//

/** The bytes of a file of the copy. Files of the project stay unchanged, and exports that are neither HTML nor CSS. */
async function contentOf(
  { answer, publicUrl }: FinderSource,
  item: Item,
  rewrite: RewriteReference,
  signal: AbortSignal,
): Promise<SiteFile['chunks']> {
  const reply = await answer(item.path)
  if (reply.status !== 200) throw copyError(item.path, reply.status)
  const { body } = reply
  if (!body) return []
  if (!(body instanceof Uint8Array)) {
    const instead = await body.admit?.(signal)
    if (instead) throw copyError(item.path, instead.status)
    return body.chunks(signal)
  }
  if (UNCHANGED.test(item.place)) return [body]
  const text = () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const type = replyHeader(headersOf(reply), 'content-type') ?? ''
  if (type.startsWith('text/html')) return encodeText(await rewriteHtml(text(), rewrite))
  if (type.startsWith('text/css')) return encodeText(await rewriteCss(text(), rewrite))
  if (EXPORT.test(item.place)) return [body]
  if (/^(?:text\/(?:markdown|plain|javascript)|application\/json)/.test(type))
    return encodeText(await rewriteText(text(), publicUrl, rewrite))
  return [body]
}

/** The places of files of the project. */
const UNCHANGED = /^-\/(?:media|thumbnails)\//

function encodeText(text: string): Uint8Array[] {
  return [new TextEncoder().encode(text)]
}

/** A page that redirects at once: a folder of files cannot send redirects. */
function redirectPage(reference: string): string {
  const target = escapeAttribute(reference)
  return `<!doctype html>
<meta charset="utf-8">
<title>${target}</title>
<link rel="canonical" href="${target}">
<meta http-equiv="refresh" content="0; url=${target}">
<a href="${target}">${target}</a>
`
}

/**
 * Writes a copy next to its folder, and moves it there once complete. Returns the number of files.
 *
 * @throws {OperationalError} `folder_not_empty` if the folder has anything except an earlier copy
 */
export async function writeSite(folder: string, files: AsyncIterable<SiteFile>): Promise<number> {
  const exists = await isReplaceable(folder)
  await mkdir(dirname(folder), { recursive: true })
  const workFolder = await mkdtemp(join(dirname(folder), `.${basename(folder).slice(0, 100)}.unfinished-`))
  const newCopy = join(workFolder, 'new')
  const oldCopy = join(workFolder, 'old')
  try {
    await mkdir(newCopy)
    let count = 0
    for await (const file of files) {
      await writeSiteFile(newCopy, file)
      count++
    }
    await writeFile(join(newCopy, MARK), MARK_TEXT)
    if (exists) await rename(folder, oldCopy)
    await rename(newCopy, folder).catch(async (error: unknown) => {
      if (exists) await rename(oldCopy, folder)
      throw error
    })
    return count
  } finally {
    // Also removes the old copy.
    await rm(workFolder, { recursive: true, force: true })
  }
}

/** Marks a folder as a copy that may be replaced. */
const MARK = '.housestyle-site'
const MARK_TEXT = 'Made by `housestyle export --to site`, which replaces this folder as a whole.\n'

/** Whether an empty folder or an earlier copy exists at the path. Throws for anything else. */
async function isReplaceable(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (!stats) return false
  const names = stats.isDirectory() ? await readdir(folder) : undefined
  if (names && (names.length === 0 || names.includes(MARK))) return true
  const what = names ? 'has files that are not from an earlier copy' : 'is a file'
  throw new OperationalError('folder_not_empty', `${folder} ${what}: name a new or empty folder with --out`)
}

async function writeSiteFile(root: string, { path, chunks }: SiteFile): Promise<void> {
  const target = join(root, path)
  if (!target.startsWith(root + sep)) throw new Error(`a copy has a file outside of its folder: ${path}`)
  await mkdir(dirname(target), { recursive: true })
  const file = await open(target, 'wx')
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
  } finally {
    await file.close()
  }
}
