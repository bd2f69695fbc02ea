import { HOME_PAGE } from '#brand/page.ts'
import { type Notes, noNotes } from '../report/report.ts'
import type { SourceFacts } from '../sources/facts.ts'
import { languageTag } from '../sources/languages.ts'
import { shownPath } from '../sources/source.ts'
import { isReadme } from './hidden-pages.ts'
import type { PagePlan, SourcePage } from './page-paths.ts'
import { siteNames } from './titles.ts'

/** The name and the language of a guide, and the text of its home page if it has none. */
export type Identity = { name: string; lang: string | undefined; home: string | undefined; notes: Notes }

/** Takes them from settings, else from the pages, else from the title of the new folder. */
export function identify(
  plans: readonly PagePlan[],
  pages: readonly SourcePage[],
  { named }: Pick<SourceFacts, 'named'>,
  { title, lang: own }: { title: string; lang: string | undefined },
): Identity {
  const notes = noNotes()
  const unseen = unseenHome(pages)
  const name = named.name ?? guessName(plans, pages, title, notes)
  const lang = languageOf(named, own, pages, notes)
  const start = plans.find(({ id }) => id === HOME_PAGE)
  if (start && unseen && isReadme(start))
    notes.guessed.push({
      path: shownPath(start.entry),
      key: 'home',
      value: name,
      why: 'a script writes that of the site',
    })
  const description = named.description ?? unseen?.page.head?.description ?? unseen?.page.meta.description
  const home =
    start || pages.length === 0 || notes.guessed.some(({ key, path }) => key === 'name' && path === '.')
      ? undefined
      : `# ${inline(name)}\n${description ? `\n${inline(description)}\n` : ''}`
  if (home !== undefined)
    notes.guessed.push({
      path: unseen ? shownPath(unseen.entry) : '.',
      key: 'home',
      value: name,
      why: 'the source has no home page',
    })
  return { name, lang, home, notes }
}

/** A page that visitors of the site see as a script fills it. */
function unseenHome(pages: readonly SourcePage[]): SourcePage | undefined {
  return pages.find(({ off, page }) => off !== undefined && page.head !== undefined)
}

/** The name of a guide whose source says none: the title of its home page, or of the new folder if that is no name. */
function guessName(
  plans: readonly PagePlan[],
  pages: readonly SourcePage[],
  title: string,
  { guessed }: Notes,
): string {
  const home = unseenHome(pages) ?? plans.find(({ id }) => id === HOME_PAGE)
  const { meta, text = '', head } = home?.page ?? {}
  const [shared] = home?.page.head ? siteNames(pages) : []
  const written = head?.siteName ?? shared ?? meta?.title ?? head?.title ?? /^#[ \t]+([^\n]+)/m.exec(text)?.[1] ?? ''
  const value = written.replace(/[*_`]|\s+#+$/g, '').trim()
  const isName = home !== undefined && NAME.test(value)
  const [path, why] = isName
    ? [shownPath(home.entry), 'the title of the home page']
    : ['.', 'from the name of the new folder']
  guessed.push({ path, key: 'name', value: isName ? value : title, why })
  return isName ? value : title
}

const NAME = /^(?!home|intro|welcome|overview|about|index|start|read ?me)[^<>[\]{}]{1,100}$/i

/** The language of the settings, else that of paths or of most pages. */
function languageOf(
  named: SourceFacts['named'],
  own: string | undefined,
  pages: readonly SourcePage[],
  { guessed }: Notes,
): string | undefined {
  const written = pages.flatMap(({ entry, page }) => {
    const value = languageTag(page.head?.lang ?? page.meta.lang ?? '')
    return value === undefined
      ? []
      : { value, path: shownPath(entry), why: page.head?.lang ? '<html lang>' : 'front matter' }
  })
  const groups = [...Map.groupBy(written, ({ value }) => value).values()].sort((a, b) => b.length - a.length)
  const settings = named.lang === undefined ? [] : [{ value: named.lang, path: named.settings, why: 'settings' }]
  const inPaths = own === undefined ? [] : [{ value: own, path: '.', why: 'the paths of pages' }]
  const [found, ...others] = [...settings, ...inPaths, ...groups.flatMap(([first]) => first ?? [])]
  if (!found) return undefined
  const candidates = [...new Set(others.map(({ value }) => value))].filter(value => value !== found.value).slice(0, 2)
  guessed.push({ ...found, key: 'lang', ...(candidates.length > 0 && { candidates }) })
  return found.value
}

/** Text on one line, without signs of Markdown. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|&~]/g, '\\$&')
}
