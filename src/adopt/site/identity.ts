import { stringify } from 'yaml'
import { HOME_PAGE } from '#brand/page.ts'
import { anyOf, groupsOf, wordsIn } from '#platform/base/text.ts'
import type { GuideStyles } from '../conversion/guide-styles.ts'
import { type Notes, noNotes } from '../report/report.ts'
import type { SourceFacts } from '../sources/facts.ts'
import { languageTag } from '../sources/languages.ts'
import { shownPath } from '../sources/source.ts'
import type { Languages } from './by-language.ts'
import type { PagePlan, SourcePage } from './page-paths.ts'
import { isReadme } from './readme.ts'
import { textLanguage } from './text-language.ts'
import { siteNames } from './titles.ts'

/** The name and the language of a guide, and the text of its home page if it has none. */
export type Identity = { name: string; lang: string | undefined; home: string | undefined; notes: Notes }

/** Takes them from settings, else from the pages, else from the title of the new folder. */
export function identify(
  plans: readonly PagePlan[],
  pages: readonly SourcePage[],
  { named }: Pick<SourceFacts, 'named'>,
  { title, languages, styles }: { title: string; languages: Languages; styles: GuideStyles },
): Identity {
  const notes = noNotes()
  const unseen = unseenHome(pages)
  const start = plans.find(({ id }) => id === HOME_PAGE)
  const source = unseen ?? start
  const readme = pages.find(({ entry }) => /^readme\.md$/i.test(entry.path))
  const titled = [source, readme].find(page => titleOf(page, pages) !== undefined)
  const written = titleOf(titled, pages)
  const name = named.name ?? written ?? title
  if (named.name === undefined && written !== undefined)
    guess(notes, 'name', name, 'the title of the home page', titled)
  else if (named.name === undefined) guess(notes, 'name', name, 'from the name of the new folder')
  const lang = languageOf(named, languages, pages, notes)
  const description = named.description ?? unseen?.page.head?.description ?? unseen?.page.meta.description
  const hasHome = start !== undefined || (named.name ?? written) === undefined
  const ownHome = hasHome ? undefined : `# ${inline(name)}\n${description ? `\n${inline(description)}\n` : ''}`
  const home = pages.length === 0 ? firstPage(name, styles) : ownHome
  if (start && unseen && isReadme(start.entry.path))
    guess(notes, 'home', name, 'a script writes that of the site', start)
  if (home !== undefined) guess(notes, 'home', name, 'the source has no home page', unseen)
  return { name, lang, home, notes }
}

/** The home page of a guide without pages, with links to its lists. */
function firstPage(name: string, { colors, types }: GuideStyles): string {
  const head = stringify({ title: 'Welcome', description: `How ${name} looks and speaks.` }, { lineWidth: 0 })
  const text = 'Write here what everyone who works with the brand must know first.'
  const lists = [
    { link: '- [Colours](../styles/colors.yaml)', styles: colors },
    { link: '- [Type](../styles/types.yaml)', styles: types },
  ]
  const links = lists.filter(({ styles }) => styles.length > 0).map(({ link }) => link)
  const parts = [`---\n${head}---`, `# ${inline(name)}`, text, links.join('\n')]
  return `${parts.join('\n\n').trimEnd()}\n`
}

function guess({ guessed }: Notes, key: string, value: string, why: string, source?: Pick<SourcePage, 'entry'>): void {
  guessed.push({ path: source ? shownPath(source.entry) : '.', key, value, why })
}

/** A page that visitors of the site see as a script fills it. */
function unseenHome(pages: readonly SourcePage[]): SourcePage | undefined {
  return pages.find(({ off, page }) => off !== undefined && page.head !== undefined)
}

/** The title of a home page as the name of a guide; undefined if it cannot be one. */
function titleOf(home: SourcePage | undefined, pages: readonly SourcePage[]): string | undefined {
  const { meta, text = '', head } = home?.page ?? {}
  // Pages without a title share an empty one.
  const [shared] = head ? [...siteNames(pages)].filter(words => words !== '') : []
  const written = head?.siteName ?? shared ?? meta?.title ?? head?.title ?? groupsOf(/^#[ \t]+([^\n]+)/m, text)[1] ?? ''
  const value = written.replace(/[*_`]|(?<!\s)\s+#+$/g, '').trim()
  return NAME.test(value) ? value : undefined
}

/** Titles of home pages that do not begin as the name of a brand. */
const GENERIC = anyOf(wordsIn('home, intro, welcome, overview, about, index, start, read me, readme'))
const NAME = new RegExp(`^(?!${GENERIC})[^<>[\\]{}@]{1,100}$`, 'i')

/** The language of the settings, else that of paths, of most pages, or of their words; undefined for English, which nobody names. */
function languageOf(
  named: SourceFacts['named'],
  { main, lang: own, others: translations }: Languages,
  pages: readonly SourcePage[],
  { guessed }: Notes,
): string | undefined {
  const written = pages.flatMap(({ entry, page: { head, meta } }) => {
    const path = shownPath(entry)
    return [
      { value: languageTag(`${head?.lang}`), path, why: '<html lang>' },
      { value: languageTag(`${meta.lang}`), path, why: 'front matter' },
    ]
  })
  const groups = [...Map.groupBy(written, ({ value }) => value).values()].sort((a, b) => b.length - a.length)
  // What a few pages declare, such as samples of fonts, says less than the words of all.
  const usual = groups.filter(group => group.length * 2 >= main.length)
  const inWords = textLanguage(main.map(({ page }) => page.text))
  const all = [
    { value: named.lang, path: named.settings, why: 'settings' },
    { value: own, path: '.', why: 'the paths of pages' },
    ...usual.flatMap(group => group.slice(0, 1)),
    { value: inWords === 'en' ? undefined : inWords, path: '.', why: 'the frequent words of the pages' },
    ...groups.flatMap(group => group.slice(0, 1)),
  ]
  const taken = new Set(['', ...translations.map(({ lang }) => lang)])
  const [found, ...others] = all.flatMap(({ value = '', ...source }) => (taken.has(value) ? [] : { value, ...source }))
  if (!found) return undefined
  const candidates = [...new Set(others.map(({ value }) => value))].filter(value => value !== found.value).slice(0, 2)
  guessed.push({ ...found, key: 'lang', ...(candidates.length > 0 && { candidates }) })
  return found.value
}

/** Text on one line, without signs of Markdown. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|&~]/g, '\\$&')
}
