/**
 * The addresses that a URL with several hosts stands for, one for each, in order: `postgres://a,b:5433/x` is
 * `postgres://a/x` and `postgres://b:5433/x`. Undefined if one of them is no URL.
 */
export function urlsOfHosts(url: string): string[] | undefined {
  const [, scheme = '', credentials = '', hosts = '', rest = ''] = PARTS.exec(url) ?? []
  const urls = hosts.split(',').map(host => `${scheme}${credentials}${host}${rest}`)
  return urls.every(each => URL.canParse(each)) ? urls : undefined
}

const PARTS = /^([a-z]+:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/i
