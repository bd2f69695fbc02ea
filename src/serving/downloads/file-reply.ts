import { create as contentDisposition } from 'content-disposition'
import { fileRefusalReply } from '#brand/contract/refusals.ts'
import { type BrandFile, filename } from '#brand/file.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Caches } from '#platform/caches/caches.ts'
import { matchedTag, meetsIfMatch } from '#platform/exchange/etag.ts'
import type { HeaderList, Reply, Request } from '#platform/exchange/message.ts'
import { contentRange, requestedRange } from '#platform/exchange/ranges.ts'
import { content, NO_SNIFF, notModified } from '#platform/exchange/reply.ts'
import type { Files, Part } from '#store/files/files.ts'
import { DamagedContent } from '#store/store-error.ts'
import type { Publication } from '../publications/publications.ts'
import type { VerifiedFiles } from './verified-files.ts'

/** A publication, or what a file of no publication needs of one. */
export type FileOwner = {
  record: Pick<Publication['record'], 'workspace'>
  published: Pick<Publication['published'], 'visibility'>
}

/**
 * The reply with a file of a publication: whole, in parts (RFC 9110 §14), or 304 if the client has it. Preconditions
 * are evaluated in the order of RFC 9110 §13.2.2. Files have no date, so date conditions are ignored.
 */
export async function fileReply(
  { files, smallFiles, publicUrl }: { files: VerifiedFiles; smallFiles: SmallFiles; publicUrl: string },
  { record: { workspace }, published }: FileOwner,
  file: BrandFile,
  request: Request,
): Promise<Reply> {
  const etag = `"${file.hash}"`
  const cacheControl = published.visibility === 'public' ? 'public, max-age=3600' : 'private, no-cache'
  const caching = ['Cache-Control', cacheControl, 'ETag', etag]
  if (!meetsIfMatch(request.headers['if-match'], etag)) return fileRefusalReply('precondition-failed', publicUrl)
  if (matchedTag(request.headers['if-none-match'], etag)) return notModified([...caching, ...NO_SNIFF])
  const range = requestedRange(request, etag, file.size)
  if (range === 'beyond') {
    const headers = ['Content-Range', contentRange(undefined, file.size), 'Accept-Ranges', 'bytes']
    return fileRefusalReply('range-not-satisfiable', publicUrl, headers)
  }
  const handling = ['Content-Disposition', disposition(file)]
  const headers = ['Accept-Ranges', 'bytes', ...sandboxHeaders(file)]
  if (request.method === 'HEAD') await files.assertSound(workspace, file.hash)
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const bytesInMemory = request.method === 'GET' ? await smallFiles.read(workspace, file) : undefined
  const chunks = async function* (gone: AbortSignal) {
    yield* await openFile(files, workspace, file, { part: range, gone })
  }
  const body = bytesInMemory?.subarray(start, end + 1) ?? { length: end + 1 - start, chunks }
  const type = servedType(file)
  if (!range) return content(type, body, { handling, caching, headers })
  headers.push('Content-Range', contentRange(range, file.size))
  return content(type, body, { status: 206, handling, caching, headers })
}

/**
 * Opens a file of a workspace, or a part of it. `gone` aborts once the client has left.
 *
 * @throws {DamagedContent} if the store has lost the file, or its bytes do not have its hash
 */
export async function openFile(
  files: Pick<Files, 'open' | 'pathOf'>,
  workspace: string,
  file: BrandFile,
  { part, gone }: { part?: Part | undefined; gone?: AbortSignal } = {},
): Promise<AsyncGenerator<Uint8Array>> {
  const chunks = await files.open(workspace, file.hash, part, gone)
  if (!chunks) throw new DamagedContent({ kind: 'file', path: files.pathOf(workspace, file.hash) }, { isMissing: true })
  return chunks
}

/** Types that a browser shows without running anything, such as `image/png`; all others are downloaded. */
const SHOWN = /^(image|font|audio|video)\/|^(application\/pdf|text\/plain)$/
/** Compressed SVG. A browser shows it only with `Content-Encoding`, but then it would save a different file. */
const COMPRESSED_SVG = /\.svgz$/i

function disposition({ path, contentType }: BrandFile): string {
  const isShown = SHOWN.test(contentType) && !COMPRESSED_SVG.test(path)
  return contentDisposition(filename(path), { type: isShown ? 'inline' : 'attachment' })
}

/**
 * The type with which a file is sent. Browsers run no script of this type, so a page of this origin cannot run a script
 * from a brand. The type in the API is that of the content (decisions/0663).
 */
function servedType({ contentType, path }: BrandFile): string {
  return SCRIPT.test(contentType) || SCRIPT_NAME.test(path) ? 'application/octet-stream' : contentType
}

/** The types that browsers run (WHATWG MIME Sniffing §4.6), and WebAssembly. */
const SCRIPT = /(?:java|j|live|ecma)script|wasm/i
const SCRIPT_NAME = /\.(?:[cm]?js|jsm|es6|wasm)$/i

/** Headers that keep a file from running scripts and from loading anything from elsewhere. */
function sandboxHeaders({ contentType }: BrandFile): HeaderList {
  return RUNS_SCRIPT.test(contentType) ? ['Content-Security-Policy', SANDBOX_POLICY] : []
}

const RUNS_SCRIPT = /svg|html|xml/
const SANDBOX_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

type SmallFiles = {
  /**
   * Undefined for a file that is larger, on another machine, or missing: streaming it reports the error.
   *
   * @throws {DamagedContent} if its bytes do not have its hash
   */
  read: (workspace: string, file: BrandFile) => MaybePromise<Uint8Array | undefined>
}

type CachedBytes = { bytes: Uint8Array; version: string }

/**
 * Keeps the bytes of small files, because opening a file takes ten times as long as the rest of a request. Each request
 * checks that the file still has the cached version. A file that changes while it is read is not kept.
 */
export function openSmallFiles(files: VerifiedFiles, caches: Caches): SmallFiles {
  const kept = caches.open<CachedBytes>('files')
  const { version } = files
  if (!version) return { read: () => undefined }
  const readOnce = (key: string, workspace: string, file: BrandFile) =>
    kept.make(key, async () => {
      const before = await version(workspace, file.hash)
      const bytes = before && (await readWhole(files, workspace, file))
      if (!bytes || (await version(workspace, file.hash))?.id !== before.id) return undefined
      return { value: { bytes, version: before.id }, bytes: bytes.length }
    })
  const read = async (workspace: string, file: BrandFile) => {
    const key = `${workspace}/${file.hash}`
    const cached = kept.get(key)
    if (cached && (await version(workspace, file.hash))?.id === cached.version) return cached.bytes
    if (cached) kept.drop(each => each === key)
    return (await readOnce(key, workspace, file))?.bytes
  }
  return { read: (workspace, file) => (file.size > MAX_BYTES ? undefined : read(workspace, file)) }
}

/** Logos, icons and fonts of one script are smaller. */
const MAX_BYTES = 128 << 10

async function readWhole(files: VerifiedFiles, workspace: string, file: BrandFile): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(file.size)
  let at = 0
  for await (const chunk of (await files.open(workspace, file.hash)) ?? []) {
    if (at + chunk.length <= file.size) bytes.set(chunk, at)
    at += chunk.length
  }
  return at === file.size ? bytes : undefined
}
