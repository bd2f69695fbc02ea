import { chunksOf } from './chunks.ts'
import { HousestyleError, isTemporary } from './error.ts'
import { get, pauseAfter } from './get.ts'
import type { Platform } from './platform.ts'

/** A file of `listFiles`, or an address. */
export type DownloadSource = string | URL | { url: string; size?: number }

/** The state of a download. */
type Download = {
  platform: Platform
  url: string
  signal: AbortSignal
  /** The bytes of the whole file, if known. */
  size: number | undefined
  /** Without a strong ETag, a download cannot resume. */
  etag: string | undefined
  /** A coded body has no ranges of its content, so that a resumed download repeats the start. */
  isCoded: boolean
}

/** How often a download resumes without receiving anything. */
const MAX_FAILURES = 3

/**
 * Downloads a file. The body of the reply continues after lost connections and long pauses.
 *
 * @throws {HousestyleError} for a status of 400 or more, or without a reply
 */
export async function download(
  platform: Platform,
  source: DownloadSource,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { url, size } = typeof source === 'string' || source instanceof URL ? { url: `${source}` } : source
  const first = await get(platform, { url, signal }, async response => response)
  const headers = new Headers(first.headers)
  const isCoded = headers.has('content-encoding')
  if (isCoded) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const length = headers.get('content-length')
  const etag = headers.get('etag')
  const controller = new AbortController()
  const chunks = wholeFile(first, {
    platform,
    url,
    signal: controller.signal,
    size: length === null ? size : Number(length),
    etag: etag?.startsWith('"') ? etag : undefined,
    isCoded,
  })
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  controller.signal.addEventListener('abort', () => end(chunks, first))
  if (signal?.aborted) abort()
  const release = () => signal?.removeEventListener('abort', abort)
  return new Response(streamOf(chunks, controller, release), { headers })
}

/** Ends the connection of a download, even if its body is unread. It fails only if the connection has already ended. */
function end(chunks: AsyncGenerator, first: Response): void {
  const ended = chunks.return(undefined).then(() => (first.body?.locked ? undefined : first.body?.cancel()))
  ended.catch(() => undefined)
}

async function* wholeFile(first: Response, download: Download): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { platform, url, signal, size } = download
  let response = first
  let received = 0
  let isRepeated = false
  const limits = { attempt: `cannot download ${url}`, ms: platform.timeout, signal }
  for (let failures = 0; ; failures++) {
    let error = connectionLost(url)
    try {
      const skipped = isRepeated ? received : 0
      for await (const fresh of withoutStart(chunksOf(response, limits), skipped)) {
        failures = 0
        received += fresh.length
        yield fresh
      }
      if (size === undefined || received === size) return
      if (received > size) throw contentChanged(url)
    } catch (cause) {
      if (!isTemporary(cause)) throw cause
      error = cause
    }
    if (download.etag === undefined || failures >= MAX_FAILURES) throw error
    await platform.sleep(pauseAfter(error, failures, platform), signal)
    response = await resume(download, received)
    isRepeated = response.status !== 206
  }
}

/** Chunks without their first `skipped` bytes; none is empty. */
async function* withoutStart(chunks: ReturnType<typeof chunksOf>, skipped: number): ReturnType<typeof chunksOf> {
  let left = skipped
  for await (const chunk of chunks) {
    const fresh = chunk.subarray(Math.min(left, chunk.length))
    left -= chunk.length - fresh.length
    if (fresh.length > 0) yield fresh
  }
}

/** Requests the rest of a file, or the whole file if its body is coded or the service ignores ranges. */
async function resume({ platform, url, signal, etag = '', isCoded }: Download, received: number): Promise<Response> {
  const headers: Record<string, string> = isCoded ? {} : { range: `bytes=${received}-`, 'if-range': etag }
  const response = await get(platform, { url, signal, headers }, async response => response)
  const isRest = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${received}-`)
  if (isRest || (response.status === 200 && response.headers.get('etag') === etag)) return response
  await response.body?.cancel()
  throw contentChanged(url)
}

/** A stream that reads only when asked, so that a slow reader slows the download. */
function streamOf(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  controller: AbortController,
  release: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull: async stream => {
        try {
          const { done, value } = await chunks.next()
          controller.signal.throwIfAborted()
          if (!done) return stream.enqueue(value)
          stream.close()
        } catch (error) {
          stream.error(error)
        }
        release()
      },
      cancel: reason => {
        release()
        controller.abort(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

function connectionLost(url: string): HousestyleError {
  const description = 'The connection ended before the whole file arrived. Try again.'
  return new HousestyleError(`cannot download ${url}`, { code: 'network_error', description })
}

function contentChanged(url: string): HousestyleError {
  const description = 'The file changed during the download. Start again, with the address that listFiles returns.'
  return new HousestyleError(`cannot download ${url}`, { code: 'content_changed', description })
}
