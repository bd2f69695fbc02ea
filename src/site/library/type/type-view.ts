import { type BrandFile, filename } from '#brand/file.ts'
import { characterNames } from '#formats/font/character-names.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { treeHtml } from '../../cards/element.ts'
import { useLink } from '../../exports/use-panel.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { editLink, guidePage, listEnd } from '../../layout/layout.ts'
import { styleFaces } from './faces/style-faces.ts'
import { shownFamilies } from './specimen/shown-families.ts'
import { familyName, MAX_CHARACTERS, specimen } from './specimen/specimen.ts'
import { familyPaths, typeEntries } from './type-list.ts'
import { styleList } from './type-samples.ts'

/** The page of type: the names of the first families, all type styles, then a specimen of each family that has fonts. */
export async function typeView(guide: Guide): Promise<Representation> {
  const { site, publication, words } = guide
  const { styles, faces, unread, count, fonts } = await typeEntries(guide)
  const address = (file: BrandFile) => site.paths.file(publication.record, file)
  const hasFonts = faces.length + unread.length > 0
  const { families, keptMs } = await shownFamilies(guide, faces, fonts)
  const paths = await familyPaths(guide)
  const list = await styleList(guide, styles)
  const parts = {
    styles,
    characters: await characterNames(),
    level: 4,
    max: Math.floor(MAX_CHARACTERS / families.length),
    lang: await publication.content.lang(),
  }
  const specimens = families.map(family => {
    const heading = html`<h3><a href="${paths.get(family.name)}">${family.name}</a></h3>`
    return specimen(guide, family, { ...parts, heading })
  })
  const shownPaths = [...paths].slice(0, MAX_NAMES)
  const names = shownPaths.map(([name, path]) => {
    const family = families.find(family => family.name === name)
    return html`<a href="${path}">${treeHtml(familyName(name, { ...parts, family }))}</a>\n`
  })
  // The fonts of the large names and of the first samples.
  const preloadedStyles = [...shownPaths.map(([family]) => ({ family })), ...styles]
  const preloadedFaces = await styleFaces(guide, preloadedStyles, { display: 'block', hasEmphasis: false })
  const preloadedFonts = preloadedFaces.fonts.slice(0, MAX_PRELOADED)
  const preloads = !guide.site.copy && preloadedFonts.map(({ file }) => preload(file, address(file)))
  const hasContent = styles.length + families.length > 0
  const unreadFonts = unread.map(file => {
    const link = html`<a href="${address(file)}" download>${filename(file.path)}</a>`
    return html`<p>${words.type.unread({ file: link })}</p>\n`
  })
  const allEntries = pathBelow(guide, faces.length > 0 ? 'files.zip' : 'exports/types.csv')
  const main = html`${preloads}<header class="prose"><h1>${words.sections.type}</h1>
${count === 0 && html`<p class="lead">${words.type.none}</p>`}${hasContent && html`<p class="quiet editable">${words.specimen.editable}</p>`}</header>
${names.length > 0 && html`<p class="names">${names}</p>\n`}${styles.length > 0 && html`<h2 id="styles">${words.type.styles}</h2>\n`}${list && treeHtml(list)}
${hasFonts && html`<h2 id="fonts">${words.type.fonts}</h2>\n`}${keptMs !== undefined && html`<p role="status">${words.specimen.reading}</p>\n`}${specimens}
${unreadFonts}${listEnd(words, count, allEntries)}${hasContent && useLink(guide)}${styles.length > 0 && (await editLink(guide, { path: 'styles/types.yaml' }))}`
  const view = await guidePage(guide, {
    kind: 'type',
    title: `${words.sections.type}`,
    below: '/-/type',
    main,
    isWide: true,
    sheets: [pathBelow(guide, 'type.css')],
  })
  return { ...view, keptMs: preloadedFaces.keptMs ?? keptMs }
}

/** Loads a font with the style sheets; not in copies, since browsers load fonts of a folder only for style sheets. */
function preload({ contentType }: BrandFile, address: string): Html {
  return html`<link rel="preload" as="font" type="${contentType}" href="${address}" crossorigin>\n`
}

const MAX_PRELOADED = 4
/** The number of large names at the top of the page. */
const MAX_NAMES = 3
