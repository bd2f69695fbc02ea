import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import { field, parsedJson } from '../base/object.ts'
import { cookieValues, type Reply, type Request, withHeaders } from '../exchange/message.ts'
import { redirect } from '../exchange/reply.ts'
import { type Html, html, type Word } from '../site/html.ts'
import { type ManageContext, type Sender, senderParts } from './context.ts'
import { unshared } from './form.ts'

/** What a form did, and the secret that only its person sees, once. */
export type Done = { action: string; secret?: string | undefined }

/**
 * Redirects from a form to its page, which says once what was done, so that a reload repeats nothing. A secret travels
 * in an encrypted cookie that only this page receives, and that opens only for its sender: no process stores it.
 */
export function redirectDone(context: ManageContext, request: Request, sender: Sender, done: Done): Reply {
  const value = seal(context, request, sender, done)
  const address = `${context.site.base}${request.path}?${new URLSearchParams({ done: done.action })}`
  return withHeaders(unshared(redirect(303, address)), ['Set-Cookie', cookie(context, request, value, SECONDS)])
}

/** Long enough for a slow connection. */
const SECONDS = 300

/** What the last form did, if its page has not said so yet. `afterwards` adds to the reply that it has now. */
export function readDone(
  context: ManageContext,
  request: Request,
  sender: Sender,
): { done: Done | undefined; afterwards: (reply: Reply) => Reply } {
  const action = new URLSearchParams(request.query).get('done')
  const nothing = { done: undefined, afterwards: (reply: Reply) => reply }
  if (action === null || request.method !== 'GET') return nothing
  const sealed = cookieValues(request.headers.cookie ?? '', NAME)
  // Browsers that refuse cookies also get the words.
  const done =
    sealed.length === 0 ? { action } : sealed.flatMap(each => open(context, request, sender, each) ?? []).at(0)
  if (done?.action !== action) return nothing
  return { done, afterwards: reply => withHeaders(reply, ['Set-Cookie', cookie(context, request, 'shown')]) }
}

const NAME = 'housestyle_done'

/** Its path keeps it from all other pages. The mark that a result was shown ends with the browser. */
function cookie({ site }: ManageContext, { path, isHttps = false }: Request, value: string, maxAge?: number): string {
  const secure = isHttps || site.service.access.publicUrl.startsWith('https:')
  const lifetime = maxAge === undefined ? {} : { maxAge }
  return stringifySetCookie({
    name: NAME,
    value,
    path: site.base + path,
    httpOnly: true,
    sameSite: 'lax',
    secure,
    ...lifetime,
  })
}

function seal(context: ManageContext, request: Request, sender: Sender, done: Done): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(context), nonce).setAAD(boundTo(request, sender))
  const text = JSON.stringify({ ...done, until: context.store.clock.date().getTime() + SECONDS * 1000 })
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(parts).toString('base64url')
}

function open(context: ManageContext, request: Request, sender: Sender, sealed: string): Done | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(context), bytes.subarray(0, NONCE_BYTES))
    .setAAD(boundTo(request, sender))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8')
  try {
    const content = parsedJson(text + decipher.final('utf8'))
    const [action, secret, until] = ['action', 'secret', 'until'].map(name => field(content, name))
    if (typeof action !== 'string' || Number(until) < context.store.clock.date().getTime()) return undefined
    return { action, ...(typeof secret === 'string' && { secret }) }
  } catch {
    // Another person's, another page's or an invented one.
    return undefined
  }
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

function keyOf({ formSecret }: ManageContext): Uint8Array {
  return createHmac('sha256', formSecret).update('done').digest()
}

function boundTo({ path }: Request, sender: Sender): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([...senderParts(sender), path]))
}

/** A result at the beginning of a page, which screen readers read at once, because it has the focus. */
export function resultHtml(role: 'status' | 'alert', text: Html | Word): Html {
  return html`<p class="result" tabindex="-1" autofocus role="${role}">${text}</p>\n`
}
