import { type BrandFile, filename } from '../../../brand/file.ts'
import type { TypeStyle } from '../../../brand/type-style.ts'
import { characterNames } from '../../../fonts/character-names.ts'
import { typeAnchor } from '../../../serving/addresses.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import { usePanel } from '../../exports/use-panel.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { editLink } from '../../layout/edit-link.ts'
import { guidePage } from '../../layout/layout.ts'
import { listEnd } from '../../layout/list-end.ts'
import { type GuideTheme, themeOf } from '../../theme/guide-theme.ts'
import type { Words } from '../../words/words.ts'
import { styleFaces } from './faces/style-faces.ts'
import { type ShownFamily, shownFamilies } from './specimen/shown-families.ts'
import { familyNames, MAX_NAMES, specimen } from './specimen/specimen.ts'
import { sampleText, styleTable } from './style-table.ts'
import { typeEntries } from './type-list.ts'

/** The type styles of a guide with samples, and its fonts. */
export async function typeView(guide: Guide): Promise<Representation> {
  const { publication, paths, words } = guide
  const { styles, faces, unread, count, fonts } = await typeEntries(guide)
  const address = (file: BrandFile) => paths.file(publication.record, file)
  const hasFonts = faces.length + unread.length > 0
  const use = await usePanel(guide, 'types')
  const specimenFonts = await shownFamilies(guide, faces, fonts)
  const parts = {
    addressOf: address,
    styles,
    characters: await characterNames(),
    lang: await publication.content.lang(),
  }
  const specimens = specimenFonts.families.map(family => specimen(guide, family, specimenFonts.families.length, parts))
  const families = namedFirst(specimenFonts.families, styles)
  const names = families.slice(0, MAX_NAMES).map(({ name }) => ({ family: name }))
  const options = { display: 'block', hasEmphasis: false } as const
  const { fonts: first, keptMs = specimenFonts.keptMs } = await styleFaces(guide, [...names, ...styles], options)
  const main = html`${!guide.copy && first.slice(0, MAX_PRELOADED).map(({ file }) => preload(file, address(file)))}<header class="prose"><h1>${words.sections.type}</h1>
${count === 0 && html`<p class="lead">${words.type.none}</p>`}</header>
${familyNames(families, parts.lang)}${styles.length > 0 && html`<h2 id="styles">${words.type.styles}</h2>\n`}${styleTable(words, styles, fonts.families)}
${typeArticle(words, styles, await themeOf(publication))}${hasFonts && html`<h2 id="fonts">${words.type.fonts}</h2>\n`}${specimenFonts.keptMs !== undefined && html`<p role="status">${words.specimen.reading}</p>\n`}${specimens}
${unread.map(file => unreadNote(words, file, address(file)))}${listEnd(words, count, pathBelow(guide, faces.length > 0 ? 'files.zip' : 'exports/types.csv'))}${use}${styles.length > 0 && (await editLink(guide, { path: 'styles/types.yaml' }))}`
  const view = await guidePage(guide, {
    title: `${words.sections.type}`,
    below: '/-/type',
    main,
    isWide: true,
    sheets: [pathBelow(guide, 'type.css')],
  })
  return { ...view, ...(keptMs !== undefined && { keptMs }) }
}

/** The families in the order in which type styles name them, then the others. */
function namedFirst(families: readonly ShownFamily[], styles: readonly TypeStyle[]): ShownFamily[] {
  const names = styles.map(({ family }) => family)
  const place = ({ name }: ShownFamily) => (names.includes(name) ? names.indexOf(name) : names.length)
  return families.toSorted((a, b) => place(a) - place(b))
}

/**
 * Loads a font together with the style sheets, so that the first samples appear in it. Static copies do not preload,
 * since browsers load fonts from a folder only for style sheets.
 */
function preload({ contentType }: BrandFile, address: string): Html {
  return html`<link rel="preload" as="font" type="${contentType}" href="${address}" crossorigin>\n`
}

const MAX_PRELOADED = 4

function unreadNote({ type }: Words, file: BrandFile, address: string): Html {
  return html`<p>${type.unread({ file: html`<a href="${address}" download>${filename(file.path)}</a>` })}</p>\n`
}

/**
 * The type styles of a guide combined as on a page: pairs of a title and a body style, each with its own sample or that of
 * the theme. Undefined with fewer than two styles.
 */
function typeArticle(
  words: Words,
  styles: readonly TypeStyle[],
  { heading, body }: Pick<GuideTheme, 'heading' | 'body'>,
): Html | undefined {
  if (styles.length < 2) return undefined
  const [titles, texts] = [styles.filter(isTitle), styles.filter(style => !isTitle(style))]
  const line = (style: TypeStyle | undefined, sample: string | undefined) =>
    style &&
    html`<p class="${typeAnchor(style.id)}" dir="auto">${style.sample ?? sample ?? sampleText(words, style)}</p>\n`
  const pairs = Array.from({ length: Math.min(MAX_PAIRS, Math.max(titles.length, texts.length)) }, (_, at) => {
    return html`<div>${line(titles[at], heading?.sample)}${line(texts[at], body?.sample)}</div>\n`
  })
  return html`<h2 id="together">${words.specimen.together}</h2>\n<div class="together">\n${pairs}</div>\n`
}

const MAX_PAIRS = 6

function isTitle({ size = 0, casing, weight = 400 }: TypeStyle): boolean {
  return size >= 28 || weight >= 600 || casing === 'uppercase'
}
