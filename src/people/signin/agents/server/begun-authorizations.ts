import { cookieValues, type Request } from '#platform/exchange/message.ts'

/*
 * The cookie of a browser names the authorizations that it has begun: the library keeps one id there, and we up to six,
 * `id.id.id`, newest first. So each of several tabs can continue its own, and only the browser that began it.
 */

/** The name of the cookie. */
export function begunCookie(publicUrl: string): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}housestyle-consent`
}

/** A `Set-Cookie` value of the library with the earlier ids of the browser; one of another cookie is unchanged. */
export function withEarlier(publicUrl: string, request: Request, setCookie: string): string {
  const name = begunCookie(publicUrl)
  if (!setCookie.startsWith(`${name}=`)) return setCookie
  const [newId = '', ...attributes] = setCookie.slice(name.length + 1).split(';')
  const ids = [...new Set([newId, ...begunIn(publicUrl, request)])].slice(0, MAX_BEGUN)
  return [`${name}=${ids.join('.')}`, ...attributes].join(';')
}

const MAX_BEGUN = 6

/**
 * The same request with only this id in front of its cookies, as the library reads it, if its browser began this
 * authorization; otherwise unchanged.
 */
export function forAuthorization(publicUrl: string, request: Request, id: string): Request {
  if (!begunIn(publicUrl, request).includes(id)) return request
  const { cookie = '' } = request.headers
  return { ...request, headers: { ...request.headers, cookie: `${begunCookie(publicUrl)}=${id}; ${cookie}` } }
}

/** The ids in the cookie of a request. */
function begunIn(publicUrl: string, { headers: { cookie = '' } }: Request): string[] {
  return cookieValues(cookie, begunCookie(publicUrl))
    .flatMap(value => value.split('.', MAX_BEGUN))
    .filter(id => /^[\w-]{1,64}$/.test(id))
}
