import type { Element, Root } from 'hast'
import { attempt } from '#platform/base/result.ts'
import { escapeHtml } from '#platform/base/text.ts'
import { attribute, elementsIn, find, parseHtml, pictureAddress } from '../pages/html-tree.ts'

/** An address on a page: of a page, or of a file that the page shows or offers. */
export type Address = { address: string; isPage: boolean }

/** The addresses on a page; `base` is its own. A page that is too large to read has none. */
export function addressesIn(html: string, base: string): Address[] {
  const tree = attempt(() => parseHtml(html))
  return tree ? [...written(tree, base)].map(({ address, isPage }) => ({ address, isPage })) : []
}

/** A page whose addresses are paths from the root of the source, or whole; pictures get the largest of their sizes. */
export function withAddresses(page: string, base: string, place: (address: string) => string | undefined): string {
  const tree = attempt(() => parseHtml(page))
  if (!tree) return page
  const edits = [...written(tree, base)].flatMap(({ element, name, address }) => {
    const opening = element.position?.start.offset
    // A copy that parsing makes of an element.
    if (opening === undefined) return []
    const url = new URL(address)
    const { hash } = url
    url.hash = ''
    const path = place(url.href) || place(pageKey(url))
    const target = path ? `/${path.split('/').map(encodeURIComponent).join('/')}` : url.href
    const afterName = opening + 1 + element.tagName.length
    const { start, end } = element.data?.position?.properties?.[name] ?? {}
    const text = ` ${name === LATER ? 'data-image-src' : name}="${escapeHtml(target + hash)}"`
    return { start: start?.offset ?? afterName, end: end?.offset ?? afterName, text }
  })
  let [done, at] = ['', 0]
  for (const { start, end, text } of edits.sort((one, other) => one.start - other.start)) {
    done += page.slice(at, start) + text
    at = end
  }
  return done + page.slice(at)
}

/** The address of a page, which has no query: filters and dates show the same page in other ways. */
export function pageKey({ origin, pathname }: URL): string {
  return origin + pathname.replace(/(?<=\/)index\.html?$/i, '')
}

/** The addresses in a tree, each with its place. */
function* written(tree: Root, page: string): Generator<Address & { element: Element; name: string }> {
  const base = URL.parse(attribute(find(tree, /^ base /), 'href'), page)?.href ?? page
  let sizes: string[] = []
  for (const element of elementsIn(tree)) {
    // Sources for some screens, such as dark ones, are other pictures.
    if (attribute(element, 'media') === '') sizes.push(...sizesOf(element))
    for (const { name, value, isPage = false } of addressesOf(element, sizes)) {
      const address = /^(?:$|#|data:)/.test(value) ? undefined : URL.parse(value, base)?.href
      if (address !== undefined) yield { element, name, address, isPage }
    }
    if (element.tagName === 'img') sizes = []
  }
}

function addressesOf(element: Element, sizes: readonly string[]): { name: string; value: string; isPage?: boolean }[] {
  const { tagName } = element
  const [href, source] = [attribute(element, 'href'), pictureAddress(element)]
  if (tagName === 'a' || tagName === 'area')
    return [{ name: 'href', value: href, isPage: !('download' in element.properties || FILE.test(href)) }]
  if (tagName === 'img') return [{ name: LATER in element.properties ? LATER : 'src', value: largest(sizes) ?? source }]
  if (/^(?:source|video|audio|embed)$/.test(tagName))
    return ['src', 'poster'].map(name => ({ name, value: attribute(element, name) }))
  const isShown = tagName === 'link' && /stylesheet|icon/.test(attribute(element, 'rel'))
  const isImage = tagName === 'meta' && attribute(element, 'property') === 'og:image'
  const name = isShown ? 'href' : isImage ? 'content' : ''
  return [{ name, value: attribute(element, name) }]
}

/** The property that readers of pictures prefer to `src`. */
const LATER = 'dataImageSrc'

/** Formats of files that pages offer for download. */
const FILE =
  /\.(?:pdf|zip|svgz?|png|jpe?g|webp|gif|avif|eps|ai|indd|sketch|fig|psd|ase|aco|docx|dotx|pptx|potx|xlsx|otf|ttf|woff2?|mp[34]|mov|webm|wav|csv|json|css)(?:[?#]|$)/i

/** The sizes of a picture (HTML 4.8.4.2.1): addresses, which may have commas in them, with a width or density. */
function sizesOf(element: Element): string[] {
  const sizes = attribute(element, 'srcSet') || attribute(element, 'dataSrcset')
  const parts = sizes.split(/(?<=\s[\d.]+[wx])\s*,|,\s+/).map(each => each.trim())
  return parts.filter(each => each !== '')
}

function largest(sizes: readonly string[]): string | undefined {
  const parts = sizes.map(each => each.split(/\s+/))
  return parts.toSorted(([, one = '1'], [, other = '1']) => Number.parseFloat(other) - Number.parseFloat(one))[0]?.[0]
}
