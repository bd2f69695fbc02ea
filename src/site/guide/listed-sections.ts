import { LANGUAGES } from '#brand/languages.ts'
import { HOME_PAGE, type Page, type Target } from '#brand/page.ts'
import { lazy, perObject } from '#platform/base/object.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { wordsFor } from '../words/words.ts'
import { filledSections, type Guide, isInMenus, isInSection, pathBelow, type Section } from './guide.ts'

/** The sections that navigation lists: those without a page that it lists instead. */
export async function navigationSections(guide: Pick<Guide, 'publication' | 'words'>): Promise<Section[]> {
  const pages = await pagesOfSections(guide)
  return (await filledSections(guide)).filter(name => !pages.has(name))
}

/** The id of the authored page that navigation lists instead of the section of a path. */
export async function sectionPage(guide: Guide, path: string): Promise<string | undefined> {
  const pages = await pagesOfSections(guide)
  return pages.entries().find(([name]) => path === pathBelow(guide, name) || isInSection(guide, name, path))?.[1]
}

/**
 * The pages that navigation lists instead of a section, by section: a page with all of its content, such as every type
 * style, otherwise a page at the top level with its name, such as `colors` or `Typography`.
 */
export async function pagesOfSections({ publication: { content }, words }: Pick<Guide, 'publication' | 'words'>) {
  const pages = new Map(await authoredSections(content))
  for (const { id, name } of (await content.pages()).values().filter(isInMenus)) {
    if (id.includes('/')) continue
    const named = comparable(name)
    const section = SECTIONS.find(key => named === key || named === comparable(`${words.sections[key]}`))
    if (section && !pages.has(section)) pages.set(section, id)
  }
  return pages
}

/** Whether a page has the id or the name of colours, in any language of the website. */
export function isAboutColors({ id, name }: Page): boolean {
  // `brand/color-palette` and `Colour palette` are about colours, too.
  const idAndName = [id.split('/').at(-1) ?? '', name]
  return idAndName.some(each => colorNames().has(comparable(each.replace(/[- ]palettes?$/i, ''))))
}

const colorNames = lazy(
  () => new Set(['color', ...LANGUAGES.map(lang => comparable(`${wordsFor(lang).sections.colors}`))]),
)

const SECTIONS = ['colors', 'type', 'files'] as const satisfies readonly Section[]

/** `Colours`, `colour` and `Color` are equal, as are `Type` and `Typography`. */
function comparable(name: string): string {
  const word = name.trim().toLowerCase().replace('colour', 'color').replace(/s$/, '')
  return TYPOGRAPHY.test(word) ? 'type' : word
}

/** In most of the languages of the website, such as `typography`, `typographie`, `tipografía` and `typografie`. */
const TYPOGRAPHY = /^t[iy]pogra(?:ph|f)[a-zí]{1,3}$/

/**
 * The sections of a guide. A page with all colours, or with all or most type styles, takes the place of the generated
 * page, whose address remains.
 */
export async function listedSections({ publication }: Pick<Guide, 'publication'>): Promise<Section[]> {
  const authored = await authoredSections(publication.content)
  return (await filledSections({ publication })).filter(name => !authored.has(name))
}

/** The path of a section, or of the page that takes its place unless that is the home page. */
export async function sectionPath(guide: Guide, name: Section): Promise<string> {
  const { publication, site } = guide
  const page = (await authoredSections(publication.content)).get(name)
  return page === undefined || page === HOME_PAGE ? pathBelow(guide, name) : site.paths.page(publication.record, page)
}

/**
 * The first page with all of a section, by section. It has a link to the whole list that is alone in its paragraph; for
 * type, several links to single styles are enough if they show at least half of all styles.
 */
const authoredSections = perObject(async (content: Publication['content']): Promise<ReadonlyMap<Section, string>> => {
  const sections = new Map<Section, string>()
  const styleCount = (await content.types()).length
  for (const page of (await content.pages()).values().filter(isInMenus)) {
    const shownStyles = new Set<string>()
    for (const { start, to } of page.links) {
      if (to.list === 'types' && to.id !== undefined && (await isAlone(content, page, start))) shownStyles.add(to.id)
      const hasMostStyles = shownStyles.size > 1 && shownStyles.size * 2 >= styleCount
      if (hasMostStyles && !sections.has('type')) sections.set('type', page.id)
      const section = sectionOf(to)
      if (section && !sections.has(section) && (await isAlone(content, page, start))) sections.set(section, page.id)
    }
  }
  return sections
})

/** The section with the same content as the target of a link. */
function sectionOf({ list, ...part }: Target): Section | undefined {
  if (list === undefined || 'id' in part || 'group' in part) return undefined
  return list === 'colors' ? 'colors' : 'type'
}

/** Whether a link is alone in its paragraph or list item, and therefore shown as its target. */
export async function isAlone({ text }: Publication['content'], page: Page, start: number): Promise<boolean> {
  const markdown = await text(page)
  const lineStart = markdown.lastIndexOf('\n', start) + 1
  const [line = '', next = ''] = markdown.slice(lineStart).split('\n', 2)
  const before = markdown.slice(0, lineStart).split('\n').at(-2) ?? ''
  return LONE_LINK.test(line) && [before, next].every(each => BETWEEN.test(each))
}

/** `[Ink](../styles/colors.yaml#ink)`, also as a list item: `- […](…)` or `1. […](…)`. */
const LONE_LINK = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]) +)?\[[^\]]*\]\([^)]*\) *$/
/** A line that ends a paragraph: blank, a list item, a heading, a fence or a comment. */
const BETWEEN = /^\s*(?:$|[-*+#<]|\d{1,9}[.)] |```|~~~)/
