import { cookieValues, type Request } from '#platform/exchange/message.ts'

export function begunCookie(publicUrl: string): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}housestyle-consent`
}

/** Adds earlier ids to a `Set-Cookie` value: with the library's single id, only the last tab would continue. */
export function withEarlier(publicUrl: string, request: Request, set: string): string {
  const name = begunCookie(publicUrl)
  if (!set.startsWith(`${name}=`)) return set
  const [id = '', ...attributes] = set.slice(name.length + 1).split(';')
  const ids = [...new Set([id, ...begunIn(publicUrl, request)])].slice(0, MAX_BEGUN)
  return [`${name}=${ids.join('.')}`, ...attributes].join(';')
}

const MAX_BEGUN = 6

/** The same request as the library understands it, if its browser began the authorization with this id. */
export function forAuthorization(publicUrl: string, request: Request, id: string): Request {
  if (!begunIn(publicUrl, request).includes(id)) return request
  const { cookie = '' } = request.headers
  return { ...request, headers: { ...request.headers, cookie: `${begunCookie(publicUrl)}=${id}; ${cookie}` } }
}

function begunIn(publicUrl: string, { headers: { cookie = '' } }: Request): string[] {
  return cookieValues(cookie, begunCookie(publicUrl))
    .flatMap(value => value.split('.', MAX_BEGUN))
    .filter(id => /^[\w-]{1,64}$/.test(id))
}
