import type { Element } from 'hast'
import { colorFill } from './color-tile.ts'
import { element } from './element.ts'
import type { FileTarget, FolderTarget, PageTarget, Preview, TypeSample } from './link-target.ts'

/** The link that a card is made from: its text is the title of the card, its title a line below that. */
export type CardLink = { href: string; text: string; title?: string | undefined }

/** A file: what it looks like, and a link that downloads it. A film or sound is played in its card. */
export function fileCard(link: CardLink, { type, facts, preview, media }: FileTarget): Element {
  if (media) return player(link, media, facts)
  const sight = preview ? faceOf(preview) : word(type)
  return card('file', sight, [titleLink(link, { download: true }), aside(link, facts)])
}

/** A folder: the first pictures in it, and a link that downloads all of it. */
export function folderCard(link: CardLink, { facts, pictures }: FolderTarget): Element {
  const cells = pictures.map(picture => element('span', { className: ['cell'] }, faceOf(picture)))
  const sight = cells.length > 0 ? cells : word('ZIP')
  return card('file', sight, [titleLink(link, { download: true }), aside(link, facts)])
}

/** A page: its cover, if it has one, and what it is about. */
export function pageCard(link: CardLink, { description, cover }: PageTarget): Element {
  return card('page', cover && faceOf(cover), [titleLink(link), aside(link, description)])
}

/** A page of another site, of which nothing is known but its address. */
export function externalCard(link: CardLink, host: string): Element {
  const rel = ['noopener', 'noreferrer']
  return card('external', undefined, [titleLink(link, { rel }), aside(link, host)])
}

/** A type style: words set in it, and what it is in numbers. */
export function specimenCard(
  { name, className, href, facts, sample }: TypeSample,
  link?: Pick<CardLink, 'text' | 'title'>,
): Element {
  const title = link?.text ?? name
  return element(
    'li',
    { className: ['specimen'] },
    element('div', { className: [className], translate: 'no' }, sample ?? title),
    element('p', {}, element('a', { href }, title), facts !== '' && ` ${facts}`),
    link?.title ? element('p', {}, link.title) : undefined,
  )
}

function card(
  kind: string,
  sight: Element | readonly Element[] | undefined,
  lines: readonly (Element | readonly Element[])[],
) {
  return element(
    'li',
    { className: [kind] },
    sight && element('span', { className: ['face'] }, sight),
    element('div', {}, lines),
  )
}

function titleLink({ href, text }: CardLink, more: Element['properties'] = {}): Element {
  return element('a', { href, ...more }, text)
}

function aside({ title }: CardLink, facts: string | undefined): Element[] {
  return [title, facts].flatMap(line => (line === undefined || line === '' ? [] : [element('p', {}, line)]))
}

function faceOf(preview: Preview): readonly Element[] {
  const ground = preview.ground === undefined ? [] : [colorFill(preview.ground)]
  if (preview.src === undefined) return ground
  const { src, srcset, width, height, alt } = preview
  return [...ground, element('img', { src, srcSet: srcset, width, height, alt, loading: 'lazy', decoding: 'async' })]
}

function word(text: string): Element {
  return element('span', { ariaHidden: 'true' }, text)
}

function player(link: CardLink, kind: 'audio' | 'video', facts: string): Element {
  const media = element(kind, { controls: true, preload: 'none', src: link.href, ariaLabel: link.text })
  return element(
    'li',
    { className: ['player'] },
    media,
    element('div', {}, titleLink(link, { download: true }), aside(link, facts)),
  )
}
