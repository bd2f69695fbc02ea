import { field, parsedJson } from '#platform/base/object.ts'
import { wordSet } from '#platform/base/text.ts'
import { isAddress, type SiteAddress } from '../report/report.ts'
import type { SourceFacts } from '../sources/facts.ts'
import { type Entry, shownPath } from '../sources/source.ts'

/**
 * Finds the address that the settings, `CNAME`, `homepage` or the README of a source name. One of a README counts if no
 * other is in it, apart from hosts of code and the addresses of pictures. Undefined if the source is the website.
 */
export async function siteAddress(entries: readonly Entry[], facts: SourceFacts): Promise<SiteAddress | undefined> {
  if (entries.some(entry => isAddress(shownPath(entry)))) return undefined
  const { origin, baseUrl = '', settings = '' } = entries[0] ? facts.of(entries[0]) : {}
  if (origin !== undefined) return { address: origin + baseUrl, path: settings }
  for (const { pattern, addressesIn } of FILES)
    for (const entry of entries.filter(({ path }) => pattern.test(path))) {
      const text = await entry.read(MAX_BYTES).then(String, () => '')
      const [address, ...others] = new Set(addressesIn(text).flatMap(publicAddress))
      if (address !== undefined && others.length === 0) return { address, path: shownPath(entry) }
    }
  return undefined
}

const MAX_BYTES = 1 << 20

/** Files that name the address, the surest first. */
const FILES: readonly { pattern: RegExp; addressesIn: (text: string) => string[] }[] = [
  { pattern: /^(?:[\w.-]+\/)?CNAME$/, addressesIn: text => [`https://${text.trim()}`] },
  { pattern: /^package\.json$/, addressesIn: text => [String(field(parsedJson(text), 'homepage'))] },
  { pattern: /^readme\.\w+$/i, addressesIn: text => text.replace(PICTURES, '').match(ADDRESSES) ?? [] },
]

const PICTURES = /!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)|<img\b[^>]{0,1000}>/g
const ADDRESSES = /https?:\/\/[^\s<>()[\]"'`*|]+/g

/** An address on the web without its fragment; none for hosts of code, of packages, and of no network. */
function publicAddress(text: string): string[] {
  const url = URL.parse(text.replace(/[.,;:!?]+$/, ''))
  const names = url?.hostname.split('.') ?? []
  if (!url || names.length < 2 || !/^https?:$/.test(url.protocol) || /^\d+$/.test(names.at(-1) ?? '')) return []
  return CODE_HOSTS.has(names.slice(-2).join('.')) ? [] : [url.origin + url.pathname.replace(/\/$/, '')]
}

const CODE_HOSTS = wordSet(`github.com githubusercontent.com gitlab.com bitbucket.org codeberg.org sr.ht shields.io
  badgen.net npmjs.com npmjs.org unpkg.com jsdelivr.net`)
