/**
 * Splits a URL with several hosts into one URL per host, in order: `postgres://a,b:5433/x` becomes `postgres://a/x` and
 * `postgres://b:5433/x`. Undefined if one of them is invalid.
 */
export function urlsOfHosts(url: string): string[] | undefined {
  const [, scheme = '', credentials = '', hosts = '', rest = ''] = PARTS.exec(url) ?? []
  const urls = hosts.split(',').map(host => `${scheme}${credentials}${host}${rest}`)
  return urls.every(each => URL.canParse(each)) ? urls : undefined
}

const PARTS = /^([a-z]+:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/i

/** An address without password and parameters, which may contain one. */
export function withoutPassword(database: string): string {
  return database.replace(/[?#].*$/, '').replace(/^([a-z]+:\/\/[^:@/]*):[^/]*@/i, '$1@')
}
