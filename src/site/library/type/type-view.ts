import { inSteps } from '../../../base/steps.ts'
import { type BrandFile, filename } from '../../../brand/file.ts'
import type { TypeStyle } from '../../../brand/type-style.ts'
import { characterNames } from '../../../fonts/character-names.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import { usePanel } from '../../exports/use-panel.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { editLink } from '../../layout/edit-link.ts'
import { guidePage } from '../../layout/layout.ts'
import { pageLinks, pageQuery, pageTitle } from '../../layout/pagination.ts'
import { themeOf } from '../../theme/guide-theme.ts'
import type { Words } from '../../words/words.ts'
import { styleFaces } from './faces/style-faces.ts'
import { type ShownFamily, shownFamilies } from './specimen/shown-families.ts'
import { familyNames, MAX_NAMES, specimen } from './specimen/specimen.ts'
import { typeArticle } from './specimen/type-article.ts'
import { styleTable } from './style-table.ts'
import { typePage } from './type-list.ts'

/** The type styles of a guide with samples, and its fonts; undefined beyond the last page. */
export async function typeView(guide: Guide, number: number): Promise<Representation | undefined> {
  const { publication, paths, words } = guide
  const found = await typePage(guide, number)
  if (!found) return undefined
  const { page, fonts } = found
  const styles = page.entries.flatMap(entry => (entry.kind === 'style' ? [entry.style] : []))
  const faces = page.entries.flatMap(entry => (entry.kind === 'face' ? [entry.face] : []))
  const unread = page.entries.flatMap(entry => (entry.kind === 'unread' ? [entry.file] : []))
  const address = (file: BrandFile) => paths.file(publication.record, file)
  const hasFonts = faces.length + unread.length > 0
  const use = number === 1 ? await usePanel(guide, 'types') : undefined
  const shown = await shownFamilies(guide, faces, fonts)
  const parts = {
    addressOf: address,
    styles,
    characters: await characterNames(),
    lang: await publication.content.lang(),
  }
  const specimens = await inSteps(shown.families, family => specimen(guide, family, shown.families.length, parts))
  const families = namedFirst(shown.families, styles)
  const names = families.slice(0, MAX_NAMES).map(({ name }) => ({ family: name }))
  const options = { display: 'block', hasEmphasis: false } as const
  const { fonts: first, keptMs = shown.keptMs } = await styleFaces(guide, [...names, ...styles], options)
  const main = html`${!guide.copy && first.slice(0, MAX_PRELOADED).map(({ file }) => preload(file, address(file)))}<header class="prose"><h1>${words.sections.type}</h1>
${page.entries.length === 0 && html`<p class="lead">${words.type.none}</p>`}</header>
${familyNames(families, parts.lang)}${styles.length > 0 && html`<h2 id="styles">${words.type.styles}</h2>\n`}${await styleTable(words, styles, fonts.families)}
${typeArticle(words, styles, await themeOf(publication))}${hasFonts && html`<h2 id="fonts">${words.type.fonts}</h2>\n`}${shown.keptMs !== undefined && html`<p role="status">${words.specimen.reading}</p>\n`}${specimens}
${await inSteps(unread, file => unreadNote(words, file, address(file)))}${use}${styles.length > 0 && (await editLink(guide, { path: 'styles/types.yaml' }))}${pageLinks(words, pathBelow(guide, 'type'), page)}`
  const view = await guidePage(guide, {
    title: pageTitle(words, words.sections.type, page),
    below: '/-/type',
    query: pageQuery(number),
    main,
    isWide: true,
    sheets: [`${pathBelow(guide, 'type.css')}${pageQuery(number)}`],
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
