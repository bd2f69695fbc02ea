import { serializeOuter } from 'parse5'
import { attributeOf, type Element, elementsIn, escapeHtml, hasClass } from './html-tree.ts'

/** The front matter of a book. */
export type BookFront = {
  title: string
  /** The owner and the version of the guide. */
  lines: readonly string[]
  /** The heading of the contents. */
  contents: string
  /** A BCP 47 tag. */
  lang: string
  /** The colours that pages use as background, by id, and whether each is dark. */
  grounds: ReadonlyMap<string, boolean>
}

/**
 * The cover of the book, on the background of the home page's head. If the logo has no version for it, the background
 * is the guide's own.
 */
export function titlePage({ title, lines, grounds }: BookFront, { cover, header, scheme }: TitleSource): string {
  const ground = /(?:^|\s)ground-(\S+)/.exec(cover ? attributeOf(cover, 'class') : '')?.[1] ?? ''
  const isDark = grounds.get(ground)
  const own = isDark === undefined ? undefined : logoFor(isDark ? 'dark' : 'light', { header, scheme })
  const logo = own ?? logoFor(scheme, { header, scheme })
  return `<section class="book-title${own ? ` ground-${ground}` : ''}" dir="auto">
${logo ? serializeOuter(logo) : ''}
<h1>${escapeHtml(title)}</h1>
${lines.map(line => `<p>${escapeHtml(line)}</p>`).join('\n')}
</section>
`
}

/** The parts of the home page that the cover uses; `scheme` is `light` or `dark`. */
type TitleSource = {
  /** The head of the page, with its title on a background. */
  cover: Element | undefined
  /** The name of the guide, or its logo in one version or two. */
  header: Element | undefined
  scheme: string
}

/** The logo for light or for dark backgrounds. If there is one version, it is for the pages of the guide. */
function logoFor(ground: string, { header, scheme }: Omit<TitleSource, 'cover'>): Element | undefined {
  const images = header ? elementsIn(header).filter(({ tagName }) => tagName === 'img') : []
  const isFor = ({ attrs }: Element, each: string) => hasClass(attrs, `only-${each}`)
  const [first] = images
  const logo = images.find(image => isFor(image, ground)) ?? (ground === scheme ? first : undefined)
  const attrs = logo?.attrs.filter(({ name }) => name !== 'class') ?? []
  return logo && { ...logo, attrs }
}
