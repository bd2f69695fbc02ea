import type { Element } from 'hast'
import type { BrandFile } from '#brand/file.ts'
import type { StyleTarget } from '#brand/page.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { characterNames } from '#fonts/character-names.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { element, treeHtml } from '../../cards/element.ts'
import { specimenCard } from '../../cards/link-card.ts'
import type { StageTarget } from '../../cards/link-target.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { html } from '../../html.ts'
import { guidePage } from '../../layout/layout.ts'
import { type ShownFamily, shownFamilies } from './specimen/shown-families.ts'
import { familyName, MAX_CHARACTERS, specimenParts } from './specimen/specimen.ts'
import { familyPaths, typeEntries } from './type-list.ts'
import { typeSamples } from './type-samples.ts'

/** The stage of a family: its name as wide as the window, its fonts, and its type styles. Undefined if there is none. */
export async function familyView(guide: Guide, slug: string): Promise<Representation | undefined> {
  const { site, publication, words } = guide
  const path = pathBelow(guide, `type/${encodeURIComponent(slug)}`)
  const name = (await familyPaths(guide)).entries().find(each => each[1] === path)?.[0]
  if (name === undefined) return undefined
  const { shown, styles, keptMs } = await familyEntries(guide, name)
  const lang = await publication.content.lang()
  const parts =
    shown &&
    specimenParts(guide, shown, {
      addressOf: (file: BrandFile) => site.paths.file(publication.record, file),
      styles,
      characters: await characterNames(),
      lang,
      max: MAX_CHARACTERS,
      level: 2,
    })
  const title = shown ? treeHtml(familyName(shown, lang)) : html`<span translate="no">${name}</span>`
  const main = html`<nav class="trail" aria-label="${words.frame.breadcrumb}"><ol><li><a href="${pathBelow(guide, 'type')}">${words.sections.type}</a></li></ol></nav>
<h1 class="names">${title}</h1>
<section class="specimen">${parts?.letters}</section>
${styles.length > 0 && html`<h2 id="styles">${words.type.styles}</h2>\n${treeHtml(await styleList(guide, styles))}`}
<section class="specimen">${parts?.details}</section>`
  const view = await guidePage(guide, {
    kind: 'type',
    title: name,
    below: path.slice(site.paths.project(publication.record).length),
    main,
    isWide: true,
    sheets: [pathBelow(guide, 'type.css')],
  })
  return { ...view, keptMs }
}

/** The family of a link to a type style, a font or the list of type styles, as a page shows it. */
export async function familyStage(
  guide: Guide,
  to: StyleTarget | { family: string },
): Promise<StageTarget | undefined> {
  const paths = await familyPaths(guide)
  const styles = await guide.publication.content.types()
  const [first] = paths.keys()
  const name = 'family' in to ? to.family : to.id === undefined ? first : styles.find(({ id }) => id === to.id)?.family
  const href = name === undefined ? undefined : paths.get(name)
  if (name === undefined || href === undefined) return undefined
  const { shown, styles: own } = await familyEntries(guide, name)
  const title = element('a', { href }, shown ? familyName(shown, await guide.publication.content.lang()) : name)
  const view = element('div', { className: ['type-stage'] }, [
    element('p', { className: ['names'], translate: 'no' }, title),
    own.length > 0 && (await styleList(guide, own)),
  ])
  return { kind: 'stage', view, href }
}

/** A family with fonts, and the type styles set in it. */
async function familyEntries(guide: Guide, name: string) {
  const { styles, faces, fonts } = await typeEntries(guide)
  const { families, keptMs } = await shownFamilies(
    guide,
    faces.filter(({ family }) => family === name),
    fonts,
  )
  const [shown]: readonly (ShownFamily | undefined)[] = families
  return { shown, styles: styles.filter(({ family }) => family === name), keptMs }
}

async function styleList(guide: Guide, styles: readonly TypeStyle[]): Promise<Element> {
  const samples = await typeSamples(guide, styles)
  const items = samples.map(sample => specimenCard(sample))
  return element('ul', { className: ['cards', 'link-cards'] }, items)
}
