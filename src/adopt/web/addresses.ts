import type { Element } from 'hast'
import { attempt } from '#platform/base/result.ts'
import { attribute, elementsIn, parseHtml, pictureAddress } from '../pages/html-tree.ts'

/** An address on a page: of a page, or of a file that the page shows or offers. */
export type Address = { address: string; isPage: boolean }

/** The addresses on a page; `base` is its own. */
export function addressesIn(html: string, base: string): Address[] {
  return written(html).flatMap(({ shown, isPage }) => {
    const address = URL.parse(shown, base)?.href
    return address === undefined ? [] : [{ address, isPage }]
  })
}

/** A page whose addresses are paths from the root of the source, or whole; pictures get the largest of their sizes. */
export function withAddresses(html: string, base: string, find: (address: string) => string | undefined): string {
  const replaced = new Map<string, string>()
  for (const { raw, shown } of written(html)) {
    const url = URL.parse(shown, base)
    if (!url) continue
    const hash = url.hash
    url.hash = ''
    const path = find(url.href) || find(pageKey(url))
    replaced.set(raw, (path ? `/${path.split('/').map(encodeURIComponent).join('/')}` : url.href) + hash)
  }
  return html.replaceAll(/(=\s*)(["'])(.*?)\2/gs, (all, equals: string, quote: string, value: string) => {
    const found = replaced.get(value.replaceAll('&amp;', '&').trim())
    return found === undefined ? all : `${equals}${quote}${found}${quote}`
  })
}

/** The address of a page, which has no query: filters and dates show the same page in other ways. */
export function pageKey({ origin, pathname }: URL): string {
  return origin + pathname.replace(/(?<=\/)index\.html?$/i, '')
}

/** Addresses as they are written; `shown` is the largest size of a picture. */
function written(html: string): { raw: string; shown: string; isPage: boolean }[] {
  const tree = attempt(() => parseHtml(html))
  return tree === undefined ? [] : [...elementsIn(tree)].flatMap(element => addressesOf(element))
}

function addressesOf(element: Element): { raw: string; shown: string; isPage: boolean }[] {
  const { tagName } = element
  const [href, source] = [attribute(element, 'href'), pictureAddress(element)]
  const one = (raw: string, isPage = false) => (/^(?:data:|#|$)/.test(raw) ? [] : [{ raw, shown: raw, isPage }])
  if (/^a(?:rea)?$/.test(tagName)) return one(href, !('download' in element.properties || FILE.test(href)))
  if (tagName === 'img') return source === '' ? [] : [{ raw: source, shown: largest(element) ?? source, isPage: false }]
  if (/^(?:source|video|audio|embed)$/.test(tagName)) return [...one(source), ...one(attribute(element, 'poster'))]
  const isShown = tagName === 'link' && /stylesheet|icon/.test(attribute(element, 'rel'))
  const isImage = tagName === 'meta' && attribute(element, 'property') === 'og:image'
  return isShown ? one(href) : isImage ? one(attribute(element, 'content')) : []
}

/** Formats of files that pages offer for download. */
const FILE =
  /\.(?:pdf|zip|svgz?|png|jpe?g|webp|gif|avif|eps|ai|indd|sketch|fig|psd|ase|aco|docx|dotx|pptx|potx|xlsx|otf|ttf|woff2?|mp[34]|mov|webm|wav|csv|json|css)(?:[?#]|$)/i

/** The largest size of a picture in `srcset` (HTML 4.8.4.2.1). */
function largest(element: Element): string | undefined {
  const set = attribute(element, 'srcSet') || attribute(element, 'dataSrcset')
  const sizes = set.split(/,\s+/).map(each => {
    const [address = '', size = '1x'] = each.trim().split(/\s+/)
    return { address, size: Number.parseFloat(size) || 1 }
  })
  return sizes.filter(({ address }) => address !== '').toSorted((a, b) => b.size - a.size)[0]?.address
}
