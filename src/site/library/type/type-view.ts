import { type BrandFile, filename } from '#brand/file.ts'
import { characterNames } from '#formats/font/character-names.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { treeHtml } from '../../cards/element.ts'
import { useLink } from '../../exports/use-panel.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { libraryHead } from '../../layout/head.ts'
import { editLink, guidePage, listEnd } from '../../layout/layout.ts'
import { styleFaces } from './faces/style-faces.ts'
import { type ShownFamily, shownFamilies } from './specimen/shown-families.ts'
import { familyName, MAX_CHARACTERS, specimen } from './specimen/specimen.ts'
import { familyPaths, type TypeEntries, typeEntries } from './type-list.ts'
import { styleList } from './type-samples.ts'

/** The page of type: the names of the first families, all type styles, then a specimen of each family that has fonts. */
export async function typeView(guide: Guide): Promise<Representation> {
  const { words } = guide
  const entries = await typeEntries(guide)
  const { styles, count } = entries
  const { families, keptMs } = await shownFamilies(guide, entries.faces, entries.fonts)
  const paths = await familyPaths(guide)
  const lang = await guide.publication.content.lang()
  const page: TypePage = { ...entries, families, keptMs, names: [...paths].slice(0, MAX_NAMES), paths, lang }
  const preloads = await fontPreloads(guide, page)
  const list = await styleList(guide, styles)
  const hasContent = styles.length + families.length > 0
  const allEntries = pathBelow(guide, entries.faces.length > 0 ? 'files.zip' : 'exports/types.csv')
  const head = html`${libraryHead(guide, words.sections.type)}${count === 0 && html`<p class="lead">${words.type.none}</p>`}`
  const main = html`${preloads.links}${hasContent && html`<p class="quiet editable">${words.specimen.editable}</p>\n`}${largeNames(page)}${styles.length > 0 && html`<h2 id="styles">${words.type.styles}</h2>\n`}${list && treeHtml(list)}
${await fontSection(guide, page)}${listEnd(words, count, allEntries)}${hasContent && useLink(guide)}${styles.length > 0 && (await editLink(guide, { path: 'styles/types.yaml' }))}`
  const view = await guidePage(guide, {
    kind: 'type',
    title: `${words.sections.type}`,
    below: '/-/type',
    head,
    main,
    isWide: true,
    sheets: [pathBelow(guide, 'type.css')],
  })
  return { ...view, keptMs: preloads.keptMs ?? keptMs }
}

/** The entries of the page, with its families and their addresses; `names` are those with a large name. */
type TypePage = TypeEntries & {
  families: readonly ShownFamily[]
  keptMs: number | undefined
  names: readonly (readonly [name: string, path: string])[]
  paths: ReadonlyMap<string, string>
  lang: string | undefined
}

/** Links that load the fonts of the large names and of the first samples, and how long to cache them. */
async function fontPreloads(guide: Guide, { names, styles }: TypePage) {
  const choices = [...names.map(([family]) => ({ family })), ...styles]
  const { fonts, keptMs } = await styleFaces(guide, choices, { display: 'block', hasEmphasis: false })
  const first = fonts.slice(0, MAX_PRELOADED)
  return { links: !guide.site.copy && first.map(({ file }) => preload(file, addressIn(guide, file))), keptMs }
}

/** Loads a font with the style sheets; not in copies, since browsers load fonts of a folder only for style sheets. */
function preload({ contentType }: BrandFile, address: string): Html {
  return html`<link rel="preload" as="font" type="${contentType}" href="${address}" crossorigin>\n`
}

function addressIn({ site, publication }: Guide, file: BrandFile): string {
  return site.paths.file(publication.record, file)
}

function largeNames({ names, families, styles, lang }: TypePage): Html | false {
  const links = names.map(([name, path]) => {
    const family = families.find(family => family.name === name)
    return html`<a href="${path}">${treeHtml(familyName(name, { family, styles, lang }))}</a>\n`
  })
  return links.length > 0 && html`<p class="names">${links}</p>\n`
}

/** A specimen of each family, and the fonts that cannot be read. */
async function fontSection(guide: Guide, { faces, unread, families, keptMs, paths, styles, lang }: TypePage) {
  const { type, specimen: text } = guide.words
  const max = Math.floor(MAX_CHARACTERS / families.length)
  const details = { styles, characters: await characterNames(), level: 4, max, lang }
  const specimens = families.map(family => {
    const heading = html`<h3><a href="${paths.get(family.name)}">${family.name}</a></h3>`
    return specimen(guide, family, { ...details, heading })
  })
  const unreadFonts = unread.map(file => {
    const link = html`<a href="${addressIn(guide, file)}" download>${filename(file.path)}</a>`
    return html`<p>${type.unread({ file: link })}</p>\n`
  })
  const hasFonts = faces.length + unread.length > 0
  return html`${hasFonts && html`<h2 id="fonts">${type.fonts}</h2>\n`}${keptMs !== undefined && html`<p role="status">${text.reading}</p>\n`}${specimens}
${unreadFonts}`
}

const MAX_PRELOADED = 4
/** The number of large names at the top of the page. */
const MAX_NAMES = 3
