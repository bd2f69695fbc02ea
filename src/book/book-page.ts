import { type DefaultTreeAdapterTypes, parse, serializeOuter } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element
type ParentNode = DefaultTreeAdapterTypes.ParentNode

/** A chapter of a book: the place of a page in the copied guide, and its depth in the contents. */
export type Chapter = { place: string; title: string; depth: number }

/** The front matter of a book. */
export type BookFront = {
  title: string
  /** The owner and the version of the guide. */
  lines: readonly string[]
  /** The heading of the contents. */
  contents: string
  /** A BCP 47 tag. */
  lang: string
}

/** A page with a whole guide; its references start at the root of the copy. */
export type BookPage = { html: (pageNumbers: ReadonlyMap<string, number>) => string }

/**
 * Combines all chapters into one page; each chapter begins on a new sheet. `read` returns the HTML at a place. Call
 * `html` again with the page numbers of the chapters, keyed by `chapterId`, once they are known.
 */
export async function bookPage(
  front: BookFront,
  chapters: readonly Chapter[],
  read: (place: string) => Promise<string>,
): Promise<BookPage> {
  const numbers = new Map(chapters.map(({ place }, at) => [place, at]))
  const sheets = new Set<string>()
  const bodies: string[] = []
  let logo = ''
  for (const [at, { place }] of chapters.entries()) {
    const document = parse(await read(place))
    const chapter: Context = { place, at, numbers }
    for (const link of elementsIn(document))
      if (link.tagName === 'link' && attributeOf(link, 'rel') === 'stylesheet')
        sheets.add(fromRoot(place, attributeOf(link, 'href')))
    const main = elementsIn(document).find(({ tagName }) => tagName === 'main')
    if (at === 0) logo = logoOf(document, chapter)
    if (!main) continue
    adapt(main, chapter)
    bodies.push(`<section class="book-chapter" id="${chapterId(at)}">\n${serializeOuter(main)}\n</section>\n`)
  }
  const links = Array.from(sheets, href => `<link rel="stylesheet" href="${escapeHtml(href)}">\n`).join('')
  return {
    html: pageNumbers => `<!doctype html>
<html lang="${escapeHtml(front.lang)}" data-theme="light">
<head>
<meta charset="utf-8">
<title>${escapeHtml(front.title)}</title>
${links}<style>${STYLE}</style>
</head>
<body>
<section class="book-title">
${logo}<h1>${escapeHtml(front.title)}</h1>
${front.lines.map(line => `<p>${escapeHtml(line)}</p>\n`).join('')}</section>
${contents(front, chapters, pageNumbers)}${bodies.join('')}</body>
</html>
`,
  }
}

function chapterId(at: number): string {
  return `chapter-${at + 1}`
}

function contents({ contents }: BookFront, chapters: readonly Chapter[], numbers: ReadonlyMap<string, number>): string {
  const items = chapters.map(({ title, depth }, at) => {
    const id = chapterId(at)
    const indent = `<i style="width:${Math.min(depth, 6) * 6}mm"></i>`
    return `<li>${indent}<a href="#${id}">${escapeHtml(title)}</a><b>${numbers.get(id) ?? ''}</b></li>\n`
  })
  return `<section class="book-contents">\n<h1>${escapeHtml(contents)}</h1>\n<ol>\n${items.join('')}</ol>\n</section>\n`
}

type Context = { place: string; at: number; numbers: ReadonlyMap<string, number> }

/** Adapts a part of a page for the book: removes screen-only elements, and rewrites ids and links. */
function adapt(element: Element, context: Context): void {
  for (const child of element.childNodes) if ('tagName' in child) replaceByPoster(child)
  element.childNodes = element.childNodes.filter(node => !('tagName' in node) || isPrinted(node))
  if (element.tagName === 'details') element.attrs.push({ name: 'open', value: '' })
  element.attrs = element.attrs.flatMap(attribute => {
    const { name } = attribute
    if (name === 'loading' || /^(?:aria-|for$|headers$)/.test(name)) return []
    const value = adaptedValue(name, attribute.value, context)
    return value === undefined ? [] : [{ ...attribute, value }]
  })
  for (const child of element.childNodes) if ('tagName' in child) adapt(child, context)
}

/** Makes a picture of a video with a poster. */
function replaceByPoster(film: Element): void {
  const poster = film.tagName === 'video' ? attributeOf(film, 'poster') : ''
  if (poster === '') return
  const kept = film.attrs.filter(({ name }) => name === 'width' || name === 'height')
  const alt = { name: 'alt', value: attributeOf(film, 'aria-label') }
  film.attrs = [{ name: 'src', value: poster }, alt, ...kept]
  film.nodeName = film.tagName = 'img'
  film.childNodes = []
}

/** Excludes the panel of formats, which has downloads, and previews, which link to pages that are chapters here. */
function isPrinted({ tagName, attrs }: Element): boolean {
  return !SCREEN_ONLY.has(tagName) && !hasClass(attrs, 'tools') && !hasClass(attrs, 'glances')
}

const SCREEN_ONLY: ReadonlySet<string> = new Set([
  'audio',
  'button',
  'form',
  'iframe',
  'input',
  'link',
  'nav',
  'noscript',
  'script',
  'select',
  'style',
  'template',
  'textarea',
  'video',
])

function adaptedValue(name: string, value: string, { place, at, numbers }: Context): string | undefined {
  if (name === 'id') return `${chapterId(at)}-${value}`
  if (name === 'src') return fromRoot(place, value)
  if (name === 'srcset')
    return value.replace(/(^|,\s*)(\S+)/g, (_, start: string, address: string) => start + fromRoot(place, address))
  if (name !== 'href') return value
  if (value.startsWith('#')) return `#${chapterId(at)}-${value.slice(1)}`
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return value
  const { pathname, hash } = new URL(value, `${NOWHERE}${place}`)
  const target = numbers.get(decodeURIComponent(pathname.slice(1)))
  if (target === undefined) return undefined
  return `#${chapterId(target)}${hash && `-${hash.slice(1)}`}`
}

/** Rewrites a reference to start at the root of the copy; external references stay unchanged. */
function fromRoot(place: string, reference: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference
  return new URL(reference, `${NOWHERE}${place.split('/').map(encodeURIComponent).join('/')}`).pathname.slice(1)
}

const NOWHERE = 'http://book.invalid/'

/** The logo in the header of a page, in its version for light backgrounds. */
function logoOf(document: ParentNode, context: Context): string {
  const name = elementsIn(document).find(({ tagName, attrs }) => tagName === 'a' && hasClass(attrs, 'name'))
  const image = name && elementsIn(name).find(each => each.tagName === 'img' && !hasClass(each.attrs, 'only-dark'))
  if (!image) return ''
  adapt(image, context)
  return `${serializeOuter(image)}\n`
}

function hasClass(attrs: Element['attrs'], name: string): boolean {
  return attrs.some(each => each.name === 'class' && each.value.split(/\s+/).includes(name))
}

function attributeOf({ attrs }: Element, name: string): string {
  return attrs.find(each => each.name === name)?.value ?? ''
}

function elementsIn(node: ParentNode): Element[] {
  return node.childNodes.flatMap(child => ('tagName' in child ? [child, ...elementsIn(child)] : []))
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const STYLE = `
@page{size:A4;margin:18mm 18mm 20mm}
html,body{background:#fff;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main{display:block;padding:0;margin:0;max-width:none}
.book-title{display:flex;flex-direction:column;justify-content:center;height:240mm}
.book-title h1{font-size:42pt;line-height:1.1;margin:0 0 12mm}
.book-title img{align-self:flex-start;width:auto;height:18mm;max-width:100%;margin:0 0 16mm;object-fit:contain;object-position:left}
.book-contents,.book-chapter{break-before:page}
.book-chapter{padding-top:.5mm}
.book-chapter .cover>div{padding:10mm 8mm 6mm}
.book-contents ol{list-style:none;padding:0;margin:8mm 0}
.book-contents li{display:flex;gap:4mm;padding:1.2mm 0;break-inside:avoid}
.book-contents a{flex:1;color:inherit;text-decoration:none}
.book-contents b{font-weight:400;font-variant-numeric:tabular-nums}
h1,h2,h3,h4{break-after:avoid}
img,svg,figure,li,tr,pre{break-inside:avoid}
img{max-width:100%}
`
