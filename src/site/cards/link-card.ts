import type { Element } from 'hast'
import { isLoopTitle } from '#brand/markdown/loop-title.ts'
import type { Words } from '../words/words.ts'
import { element } from './element.ts'
import type { FileTarget, FolderTarget, Media, PageTarget, Preview, TypeSample, WordsTarget } from './link-target.ts'
import { breakPlaces } from './long-words.ts'
import { mediaPlayer } from './player.ts'
import { filmClass } from './ratios.ts'

/** The link of a card: its text is the card title, its title is a line below that. */
export type CardLink = { href: string; text: string; title?: string | undefined }

/**
 * A file card with a preview, a link to its page and a download button; an audio card has a player. A file without a
 * preview shows its type if other cards of its list have previews (`hasFaces`).
 */
export function fileCard(link: CardLink, to: FileTarget, words: Words, hasFaces: boolean): Element {
  const { type, preview, media } = to
  if (media?.kind === 'audio') {
    const player = mediaPlayer(media, link.text, words)
    return element('li', { className: ['player'] }, player, element('div', {}, fileLinks(words, link, to)))
  }
  const face = preview ? faceOf(preview) : hasFaces && word(type)
  return card('file', face, fileLinks(words, link, to))
}

/**
 * A player for the only link of a paragraph, as wide as the page allows, with a link to its file below. With
 * the title `loop`, a video plays without sound while it is visible, and has only a button that pauses it.
 */
export function mediaFigure(link: CardLink, to: FileTarget, media: Media, words: Words): Element {
  const isLoop = media.kind === 'video' && isLoopTitle(link.title)
  const button = isLoop && element('button', { type: 'button', hidden: true, ariaPressed: 'false' }, words.pages.pause)
  const caption = (!isLoop || media.isLottie) && fileLinks(words, link, to)
  const { width, height } = media.size ?? media.poster ?? USUAL_SIZE
  const form = media.kind === 'audio' ? ['sound'] : [filmClass({ width, height }), ...(isLoop ? ['loop'] : [])]
  return element(
    'figure',
    { className: ['film', ...form, ...(height > 0.9 * width ? ['tall'] : [])] },
    mediaPlayer(media, link.text, words, isLoop),
    button,
    caption && element('figcaption', {}, caption),
  )
}

/** Of a film whose size is unknown. */
const USUAL_SIZE = { width: 16, height: 9 }

/** The link to the page of a file, its facts, and a button that downloads it; a file without a page is only downloaded. */
function fileLinks(words: Words, link: CardLink, { facts, rights, page, isOver }: FileTarget): Element[] {
  if (page === undefined) return downloadOf(link, facts, rights)
  const label = `${words.files.downloadFormat({ name: link.text, format: facts })}`
  const button = element('a', { href: link.href, className: ['save'], download: true, ariaLabel: label })
  return [titleLink({ ...link, href: page }), ...(isOver ? [] : [button]), ...aside(link, facts, rights)]
}

function downloadOf(link: CardLink, ...facts: readonly (string | undefined)[]): Element[] {
  return [titleLink(link, { download: true }), ...aside(link, ...facts)]
}

/** A folder card with its first films and pictures, or its fonts or sounds, and a link that downloads the whole folder. */
export function folderCard(link: CardLink, { facts, pictures }: FolderTarget, hasFaces: boolean): Element {
  const cells = pictures.map(picture => element('span', { className: ['cell'] }, faceOf(picture)))
  const face = cells.length > 0 ? cells : hasFaces && word('ZIP')
  return card('file', face, downloadOf(link, facts))
}

/** A page card: its title below its cover or subject, or on its ground, if it has one, and its description. */
export function pageCard(link: CardLink, { description, cover, ground }: PageTarget): Element {
  const title = titleLink(link)
  const text = aside(link, description)
  if (cover || ground === undefined) return card('page', cover && faceOf(cover), [title, text])
  const face = element('span', { className: ['face', 'titled', `ground-${ground}`] }, title)
  return element('li', { className: ['page'] }, face, element('div', {}, text))
}

/** A page in a list of pages: its title and its description. */
export function pageLine(link: CardLink, { description }: PageTarget): Element {
  return element('li', {}, titleLink(link), aside(link, description))
}

/** A card for a page of another site, with only its address. */
export function externalCard(link: CardLink, host: string): Element {
  const rel = ['noopener', 'noreferrer']
  return card('external', undefined, [titleLink(link, { rel }), aside(link, host)])
}

/** A type style with a sample and its values. */
export function specimenCard(
  { name, className, href, family, facts, note, sample, editor }: TypeSample,
  link?: Pick<CardLink, 'text' | 'title'>,
): Element {
  const title = link?.text ?? name
  const editing = editor && {
    dir: 'auto',
    contentEditable: 'plaintext-only',
    role: 'textbox',
    ariaLabel: `${editor.label}`,
    spellCheck: 'false',
  }
  return element(
    'li',
    { className: ['specimen'], ...(editor && { id: className }) },
    element('div', {}, element('div', { className: [className], translate: 'no', ...editing }, sample)),
    element('p', {}, element('a', { href }, title)),
    element(
      'p',
      {},
      family && element('bdi', {}, element('a', { href: family.href }, family.name)),
      family && facts && ' · ',
      facts,
    ),
    link?.title ? element('p', {}, link.title) : undefined,
    note && element('p', {}, note),
    editor?.css,
  )
}

/** The words of a brand, and the words that they replace, as a table in a box that scrolls if it must. */
export function wordTable({ brandWords, comma }: Words, label: string, { id, rows }: WordsTarget): Element {
  const header = [brandWords.write, brandWords.not, brandWords.why].map(name => element('th', { scope: 'col' }, name))
  const lines = rows.map(({ write, not, reason, page }) =>
    element(
      'tr',
      {},
      element('td', {}, element('strong', {}, write)),
      element('td', {}, not.join(comma)),
      element('td', {}, reason, reason && page ? ' ' : undefined, page && element('a', { href: page.href }, page.name)),
    ),
  )
  const table = element('table', {}, element('thead', {}, element('tr', {}, header)), element('tbody', {}, lines))
  const properties = { className: ['table', 'brand-words'], id, role: 'region', ariaLabel: label, tabIndex: 0 }
  return element('div', properties, table)
}

/** An item with a face, if it has one, and lines of text. */
function card(
  kind: string,
  face: Element | readonly Element[] | false | undefined,
  lines: readonly (Element | readonly Element[])[],
) {
  return element(
    'li',
    { className: [kind] },
    face && element('span', { className: ['face'] }, face),
    element('div', {}, lines),
  )
}

function titleLink({ href, text }: CardLink, more: Element['properties'] = {}): Element {
  return element('a', { href, ...more }, breakPlaces(text))
}

/** The lines below the title of a card: the title of its link, which describes it, and facts such as `SVG, 3.1 KB`. */
function aside({ title }: CardLink, ...facts: readonly (string | undefined)[]): Element[] {
  return [isLoopTitle(title) ? undefined : title, ...facts].flatMap(line =>
    line === undefined || line === '' ? [] : [element('p', {}, line)],
  )
}

/** The content of a card's face: letters, the first frame of a film, stripes, a sign, or a picture on its ground. */
export function faceOf(preview: Preview): readonly Element[] {
  if ('face' in preview)
    return [element('span', { className: ['font-letters', preview.face], ariaHidden: 'true' }, preview.letters)]
  if ('stripes' in preview) return [stripes(preview.stripes)]
  if ('film' in preview) return [firstFrame(preview.film), playSign()]
  if ('sign' in preview) return [preview.sign === 'film' ? playSign() : word('♪')]
  const ground =
    preview.ground === undefined ? [] : [element('span', { className: ['plate', `ground-${preview.ground}`] })]
  const { src, srcset, width, height, alt, isFilling, isFilm } = preview
  const className = isFilling ? ['fill'] : undefined
  const lazy = { loading: 'lazy', decoding: 'async' }
  const picture = element('img', { src, srcSet: srcset, width, height, alt, className, ...lazy })
  return [...ground, picture, ...(isFilm ? [playSign()] : [])]
}

function stripes(colors: readonly string[]): Element {
  const rects = colors.map((fill, at) => element('rect', { x: `${at}`, width: '1', height: '1', fill }))
  const box = {
    viewBox: `0 0 ${colors.length} 1`,
    preserveAspectRatio: 'none',
    className: ['fill'],
    ariaHidden: 'true',
  }
  return element('svg', box, rects)
}

/** A film that only shows its first frame, loaded by the script near the screen. */
function firstFrame(src: string): Element {
  const still = { muted: true, playsInline: true, preload: 'none', tabIndex: -1, ariaHidden: 'true' }
  return element('video', { src, className: ['fill'], ...still })
}

function playSign(): Element {
  return element('span', { className: ['plays'] })
}

function word(text: string): Element {
  return element('span', { ariaHidden: 'true' }, text)
}
