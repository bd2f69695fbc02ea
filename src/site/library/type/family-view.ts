import type { StyleTarget } from '#brand/page.ts'
import { characterNames } from '#formats/font/character-names.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { element, treeHtml } from '../../cards/element.ts'
import type { StageTarget } from '../../cards/link-target.ts'
import { type Guide, partInGuide, pathBelow } from '../../guide/guide.ts'
import { html } from '../../html.ts'
import { sectionTrail } from '../../layout/head.ts'
import { guidePage } from '../../layout/layout.ts'
import { shownFamilies } from './specimen/shown-families.ts'
import { familyName, MAX_CHARACTERS, specimen } from './specimen/specimen.ts'
import { familyPaths, typeEntries } from './type-list.ts'
import { styleList } from './type-samples.ts'

/** The stage of a family: its name as wide as the window, its fonts, and its type styles. Undefined if there is none. */
export async function familyView(guide: Guide, slug: string): Promise<Representation | undefined> {
  const { words } = guide
  const path = pathBelow(guide, `type/${encodeURIComponent(slug)}`)
  const name = (await familyPaths(guide)).entries().find(each => each[1] === path)?.[0]
  if (name === undefined) return undefined
  const { family, title, keptMs, ...parts } = await familyParts(guide, name)
  const list = await styleList(guide, parts.styles)
  const styles = list && html`<h2 id="styles">${words.type.styles}</h2>\n${treeHtml(list)}`
  const details = { ...parts, more: styles, level: 2, max: MAX_CHARACTERS, characters: await characterNames() }
  const main = family ? specimen(guide, family, details) : html`${styles}`
  const view = await guidePage(guide, {
    kind: 'type',
    title: name,
    below: partInGuide(guide, path),
    head: html`${sectionTrail(guide, 'type')}<h1>${treeHtml(title)}</h1>
`,
    main,
    isWide: true,
    sheets: [pathBelow(guide, 'type.css')],
  })
  return { ...view, keptMs }
}

/** The family of a link to a type style, a font or the list of type styles, as a page shows it. */
export async function familyStage(
  guide: Guide,
  to: StyleTarget | { family: string | undefined },
): Promise<StageTarget | undefined> {
  const paths = await familyPaths(guide)
  const styles = await guide.publication.content.types()
  const [firstFamily] = paths.keys()
  const familyOf = ({ id }: StyleTarget) =>
    id === undefined ? firstFamily : styles.find(each => each.id === id)?.family
  const name = 'family' in to ? to.family : familyOf(to)
  const href = paths.get(name ?? '')
  if (name === undefined || href === undefined) return undefined
  const { title, styles: shown } = await familyParts(guide, name)
  const list = await styleList(guide, shown, false)
  const heading = element('p', { className: ['names'] }, element('a', { href }, title))
  return { kind: 'stage', view: element('div', { className: ['type-stage'] }, heading, list), href }
}

/** A family, if it has fonts, its name, and the type styles set in it. */
async function familyParts(guide: Guide, name: string) {
  const lang = await guide.publication.content.lang()
  const entries = await typeEntries(guide)
  const styles = entries.styles.filter(({ family }) => family === name)
  const faces = entries.faces.filter(({ family }) => family === name)
  const { families, keptMs } = await shownFamilies(guide, faces, entries.fonts)
  const family = families.at(0)
  const title = familyName(name, { family, styles, lang })
  return { family, title, styles, lang, keptMs }
}
