import type { Element, Root } from 'hast'
import { filename } from '#brand/file.ts'
import { escapeHtml, inFormats, singleSpaced, wordSet, wordTable } from '#platform/base/text.ts'
import { attribute, elementsIn, findTag, parseHtml, pictureAddress } from '../pages/html-tree.ts'

/** An address on a page: of a page, or of a file that the page shows or offers. */
export type Address = { address: string; isPage: boolean }

/** An address with the name of its attribute, and the part of the page's source that has or would have it. */
type WrittenAddress = Address & { name: string; start: number; end: number }

/** A page, and the addresses on it. */
export type LinkedPage = { html: string; addresses: readonly WrittenAddress[] }

/**
 * Reads the addresses on a page; `base` is its own.
 *
 * @throws {Error} if it is too large to read
 */
export function linkedPage(html: string, base: string): LinkedPage {
  return { html, addresses: [...written(parseHtml(html), base)] }
}

/** A page whose addresses are paths from the root of the source, or whole; pictures get the largest of their sizes. */
export function withAddresses({ html, addresses }: LinkedPage, place: (address: string) => string | undefined): string {
  // A copy that parsing makes of an element is nowhere in the source.
  const edits = addresses.filter(({ start }) => start >= 0)
  let newHtml = ''
  let at = 0
  for (const { name, address, start, end } of edits.sort((one, other) => one.start - other.start)) {
    const url = new URL(address)
    const { hash } = url
    url.hash = ''
    const path = place(url.href) || place(pageKey(url))
    const target = path ? `/${path.split('/').map(encodeURIComponent).join('/')}` : url.href
    newHtml += `${html.slice(at, start)} ${name === LATER ? 'data-image-src' : name}="${escapeHtml(target + hash)}"`
    at = end
  }
  return newHtml + html.slice(at)
}

/** The address of a page, which has no query: filters and dates show the same page in other ways. */
export function pageKey({ origin, pathname }: URL): string {
  const name = filename(pathname)
  return origin + (INDEXES.has(name.toLowerCase()) ? pathname.slice(0, -name.length) : pathname)
}

const INDEXES = wordSet('index.html index.htm')

/** The addresses in a tree, each with its place. */
function* written(tree: Root, page: string): Generator<WrittenAddress> {
  const base = URL.parse(attribute(findTag(tree, 'base'), 'href'), page)?.href ?? page
  /** The sizes of the next `img`, which it has itself or in the `source` elements before it. */
  let sizes: string[] = []
  for (const element of elementsIn(tree)) {
    // Sources for some screens, such as dark ones, are other pictures.
    if (attribute(element, 'media') === '') sizes.push(...sizesOf(element))
    for (const { name, value, isPage } of addressesOf(element, sizes)) {
      if (OWN.some(start => `${value}#`.startsWith(start)) || !URL.canParse(value, base)) continue
      yield { address: new URL(value, base).href, isPage, name, ...attributePlace(element, name) }
    }
    if (element.tagName === 'img') sizes = []
  }
}

/** The beginnings of addresses on the page itself. An empty one is followed by `#`, too. */
const OWN = ['#', 'data:']

/** The place of an attribute in the source; a new one is after the name of its element. */
function attributePlace({ tagName, position, data }: Element, name: string): { start: number; end: number } {
  const afterName = { offset: Number(position?.start.offset) + 1 + tagName.length }
  const { start, end } = data?.position?.properties?.[name] ?? { start: afterName, end: afterName }
  return { start: Number(start.offset), end: Number(end.offset) }
}

/** The addresses in the attributes of an element; an image has the largest of its sizes. */
function addressesOf(element: Element, sizes: readonly string[]): { name: string; value: string; isPage: boolean }[] {
  const { tagName, properties } = element
  if (tagName === 'img') {
    const name = LATER in properties ? LATER : 'src'
    return [{ name, value: largest(sizes) ?? pictureAddress(element), isPage: false }]
  }
  if (WITH_SIGN.has(tagName) && signsOf(element).isDisjointFrom(SHOWN)) return []
  const isPage = PAGES.has(tagName) && !isDownload(element)
  const names = ATTRIBUTES.get(tagName) ?? []
  return names.map(name => ({ name, value: attribute(element, name), isPage }))
}

/** The attributes with addresses, by the names of elements. */
const ATTRIBUTES = wordTable<readonly string[]>([
  [['href'], 'a area link'],
  [['src', 'poster'], 'source video audio embed'],
  [['content'], 'meta'],
])
const PAGES = wordSet('a area')

/** Elements whose sign says whether readers see their file, and the signs that say so. */
const WITH_SIGN = wordSet('link meta')
const SHOWN = wordSet('stylesheet icon apple-touch-icon apple-touch-icon-precomposed mask-icon og:image')

function signsOf(element: Element): ReadonlySet<string> {
  return wordSet(attribute(element, 'rel', 'property').toLowerCase())
}

/** Whether a link offers a file, as its address or its attribute says. */
function isDownload(link: Element): boolean {
  const parts = attribute(link, 'href').replace('#', '?').split('?')
  return 'download' in link.properties || parts.some(part => FILE.test(part))
}

/** The property that readers of pictures prefer to `src`. */
const LATER = 'dataImageSrc'

/** Formats of files that pages offer for download. */
const FILE =
  inFormats(`pdf, zip, svg, svgz, png, jpg, jpeg, webp, gif, avif, eps, ai, indd, sketch, fig, psd, ase, aco, docx, dotx, pptx,
  potx, xlsx, otf, ttf, woff, woff2, mp3, mp4, mov, webm, wav, csv, json, css`)

/** The sizes of a picture (HTML 4.8.4.2.1): addresses, which may have commas in them, with a width or density. */
function sizesOf(element: Element): string[] {
  const parts = attribute(element, 'srcSet', 'dataSrcset').split(/(?<=\s[\d.]+[wx])\s*,|,\s+/)
  return parts.map(size => size.trim()).filter(size => size !== '')
}

/** The address of the largest size, such as `a.png 800w` or `a.png 2x`; without a number, it is 1. */
function largest(sizes: readonly string[]): string | undefined {
  const parts = sizes.map(size => singleSpaced(size).split(' '))
  const [[address] = []] = parts.toSorted(
    ([, one = '1'], [, other = '1']) => Number.parseFloat(other) - Number.parseFloat(one),
  )
  return address
}
