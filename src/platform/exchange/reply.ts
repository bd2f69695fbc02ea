import type { HeaderList, Reply, StreamedBody } from './message.ts'

/** The parts of a reply apart from its content. */
export type ReplyOptions = {
  /** 200 by default. */
  status?: number
  /** The fields for browser handling: `Content-Disposition`, `Content-Security-Policy`, … */
  handling?: HeaderList
  /** The fields for caching: `Cache-Control`, `Vary`, `ETag`, … By default, `no-store`. */
  caching?: HeaderList
  headers?: HeaderList
}

/** Forbids caching (RFC 9111 §5.2.2.5). */
export const NO_STORE = ['Cache-Control', 'no-store'] as const

/** A browser must not guess another content type (`nosniff` in the Fetch standard). */
export const NO_SNIFF = ['X-Content-Type-Options', 'nosniff'] as const

export function json(value: object, options: ReplyOptions = {}): Reply {
  return content('application/json', JSON.stringify(value), options)
}

export function text(body: string, options: ReplyOptions = {}): Reply {
  return content('text/plain; charset=utf-8', body, options)
}

/** Makes an HTML reply. The HTML must be escaped already. */
export function html(body: string | Uint8Array, options: ReplyOptions = {}): Reply {
  return content('text/html; charset=utf-8', body, options)
}

export function content(type: string, body: string | Uint8Array | StreamedBody, options: ReplyOptions = {}): Reply {
  const { status = 200, handling = NOTHING, caching = NO_STORE, headers = NOTHING } = options
  return {
    status,
    headers: ['Content-Type', type, ...handling, ...caching, ...NO_SNIFF, ...headers],
    hasOwnHeaders: true,
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  }
}

const NOTHING: HeaderList = []

/** Redirects to another address: with GET (303), or with the same method for now (307) or permanently (308). */
export function redirect(status: 303 | 307 | 308, location: string, headers: HeaderList = NO_STORE): Reply {
  return { status, headers: ['Location', location, ...headers], hasOwnHeaders: true, body: new Uint8Array() }
}

/** Makes a reply without content (RFC 9110 §15.3.5). */
export function noContent(headers: HeaderList): Reply {
  return { status: 204, headers, body: undefined }
}

/** Confirms that the client's copy is current. `headers` update the metadata of that copy (RFC 9110 §15.4.5). */
export function notModified(headers: HeaderList): Reply {
  return { status: 304, headers, body: undefined }
}
