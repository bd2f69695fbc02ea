import { stringify } from 'yaml'
import { HOME_PAGE } from '#brand/page.ts'
import { splitHeading } from '#formats/markdown/heading-ids.ts'
import { readBlocks, shownText } from '#formats/markdown/page-blocks.ts'
import { anyOf, singleSpaced, wordSet, wordsIn } from '#platform/base/text.ts'
import type { GuideStyles } from '../conversion/guide-styles.ts'
import type { Document } from '../document.ts'
import { plainWords } from '../report/adopted-markdown.ts'
import { type Notes, noNotes } from '../report/report.ts'
import type { SourceFacts } from '../sources/facts.ts'
import { languageTag } from '../sources/languages.ts'
import { isReadme } from '../sources/leave-out.ts'
import { shownPath } from '../sources/source.ts'
import type { Languages } from './by-language.ts'
import type { PagePlan } from './page-paths.ts'
import { aboutBrand, withoutFences } from './readme.ts'
import { textLanguage } from './text-language.ts'
import { siteNames } from './titles.ts'

/** The names of a guide and of its brand, its language, and the text of its home page if it has none. */
export type Identity = { name: string; brand: string; lang: string | undefined; home: string | undefined; notes: Notes }

/** A value with its place and reason; the first one that is not empty counts. */
type Candidate = { value?: string | undefined; path: string; why: string }

/** Takes them from settings, else from the pages, else from the title of the new folder. */
export function identify(
  plans: readonly PagePlan[],
  pages: readonly Document[],
  { named }: Pick<SourceFacts, 'named'>,
  { title: folder, languages, styles }: { title: string; languages: Languages; styles: GuideStyles },
): Identity {
  const title = asSpelled(folder, pages)
  const notes = noNotes()
  const starts = plans.filter(({ id }) => id === HOME_PAGE)
  // A page that visitors of the site see as a script fills it, unless the home page is one that they saw.
  const scripted = starts.some(isSeen) ? [] : pages.filter(each => each.off !== undefined && isSeen(each))
  const unseen = scripted.toSorted((a, b) => a.place.length - b.place.length).slice(0, 1)
  const readmes = pages.filter(({ entry }) => entry.path.toLowerCase() === 'readme.md')
  const homes = [...unseen, ...starts].slice(0, 1)
  const titled = [...[...homes, ...readmes].map(titleIn(pages)), ...homes.map(headingIn)]
  const ofFolder = { value: title, path: '.', why: 'from the name of the new folder' }
  const [{ value: name, path, why } = ofFolder] = [{ value: named.name, path: '.', why: '' }, ...titled].filter(
    hasValue,
  )
  const brand = brandIn(name) || title
  // What settings say is no guess.
  if (why !== '') notes.guessed.push({ path, key: 'name', value: name, why })
  const lang = languageOf(named, languages, pages, notes)
  const hidden = unseen.length > 0 ? starts.filter(({ entry }) => isReadme(entry.path)) : []
  for (const { entry } of hidden)
    notes.guessed.push({ path: shownPath(entry), key: 'home', value: name, why: 'a script writes that of the site' })
  const isComplete = starts.length > 0 || why === ofFolder.why
  if (isComplete && pages.some(({ off }) => off === undefined)) return { name, brand, lang, home: undefined, notes }
  const [place = '.'] = unseen.map(({ entry }) => shownPath(entry))
  notes.guessed.push({ path: place, key: 'home', value: name, why: 'the source has no home page' })
  const described = unseen.flatMap(({ head, meta }) => [head?.description, meta.description])
  const [description = ''] = [named.description, ...described].filter(Boolean)
  const home = `# ${plainWords(name)}\n\n${plainWords(singleSpaced(description))}`.trimEnd()
  return { name, brand, lang, home: pages.length === 0 ? firstPage(name, styles) : `${home}\n`, notes }
}

/** The brand in the name of its guide, such as `Acme` in `Acme – Brand Guidelines`; empty if other words are all of it. */
function brandIn(name: string): string {
  const words = name.split(' ')
  const last = words.findLastIndex(word => !OF_GUIDE.has(word.toLowerCase()))
  return words.slice(0, last + 1).join(' ')
}

const OF_GUIDE =
  wordSet(`– — | - : the our and of & brand brands branding style visual corporate design identity guide guides
  guidelines guideline guidebook guidance manual handbook book standards system systems designsystem assets hub portal
  website site documentation docs`)

/** A name of a folder as most pages spell it: `asyncapi` as `AsyncAPI`. */
function asSpelled(name: string, pages: readonly Document[]): string {
  const pattern = new RegExp(String.raw`(?<![\w./-])${RegExp.escape(name)}(?![\w/-])`, 'gi')
  const spellings = pages
    .flatMap(({ text }) => Array.from(text.matchAll(pattern), ([each]) => each))
    .filter(each => each !== each.toLowerCase())
  const [[spelling] = [name]] = [...Map.groupBy(spellings, each => each)].sort(([, a], [, b]) => b.length - a.length)
  return spelling
}

function isSeen({ head }: Document): boolean {
  return head !== undefined
}

function hasValue(candidate: Candidate): candidate is Candidate & { value: string } {
  return candidate.value !== undefined && candidate.value !== ''
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
  const parts = [`---\n${head}---`, `# ${plainWords(name)}`, text, links.join('\n')]
  return `${parts.join('\n\n').trimEnd()}\n`
}

/** Makes a function for the title of a home page as the name of a guide; it has no value if it cannot be one. */
function titleIn(pages: readonly Document[]) {
  // Pages without a title share an empty one.
  const [shared] = [...siteNames(pages)].filter(Boolean)
  return (page: Document): Candidate => {
    const { entry, head, meta } = page
    const names = head ? [head.siteName, shared, meta.title, head.title] : [meta.title, headingIn(page).value]
    const [title = ''] = names.filter(Boolean)
    const value = NAME.test(title) ? title : ''
    return { value, path: shownPath(entry), why: 'the title of the home page' }
  }
}

/** The first heading of a page, which in HTML may be that of one page only. */
function headingIn({ entry, text }: Document): Candidate {
  // A heading above text for developers is no name.
  const own = isReadme(entry.path) ? aboutBrand(withoutFences(text)) : text
  const headings = readBlocks(own.replace(LOGO, '$1')).filter(({ level }) => level === 1)
  const titles = headings.map(block => splitHeading(shownText(block)).text.trim()).filter(title => NAME.test(title))
  return { value: titles[0], path: shownPath(entry), why: 'the title of the home page' }
}

/** A picture in HTML with its words, such as a logo in a heading. */
const LOGO = /<img\s[^<>]{0,500}?\salt="([^"<>]{1,100})"[^<>]{0,500}>/g

/** Titles of home pages that do not begin as the name of a brand. */
const GENERIC = anyOf(wordsIn('home, intro, welcome, overview, about, index, start, read me, readme'))
const NAME = new RegExp(`^(?!${GENERIC})[^<>[\\]{}@]{1,100}$`, 'i')

/** The language of the settings, else that of paths, of most pages, or of their words; undefined for English, which nobody names. */
function languageOf(
  named: SourceFacts['named'],
  { main, lang: own, others: translations }: Languages,
  pages: readonly Document[],
  { guessed }: Notes,
): string | undefined {
  const written = pages.flatMap(({ entry, head, meta }): Candidate[] => {
    const path = shownPath(entry)
    return [
      { value: languageTag(`${head?.lang}`), path, why: '<html lang>' },
      { value: languageTag(`${meta.lang}`), path, why: 'front matter' },
    ]
  })
  const groups = [...Map.groupBy(written, ({ value }) => value).values()].sort((a, b) => b.length - a.length)
  // What a few pages declare, such as samples of fonts, says less than the words of all.
  const usual = groups.filter(group => group.length * 2 >= main.length)
  const inWords = textLanguage(main.map(({ text }) => text))
  const all: Candidate[] = [
    { value: named.lang, path: named.settings, why: 'settings' },
    { value: own, path: '.', why: 'the paths of pages' },
    ...usual.flatMap(group => group.slice(0, 1)),
    { value: inWords === 'en' ? '' : inWords, path: '.', why: 'the frequent words of the pages' },
    ...groups.flatMap(group => group.slice(0, 1)),
  ]
  const taken = new Set(translations.map(({ lang }) => lang))
  const declared = all.filter(hasValue).filter(({ value }) => !taken.has(value))
  const byWords = { value: inWords ?? '', path: '.', why: 'the frequent words of the pages' }
  // Templates declare English or the language of a country, whatever the text is in.
  const isWrong = declared.slice(0, 1).some(({ value }) => isEnglish(value) !== isEnglish(byWords.value))
  const isSure = isWrong && own === '' && byWords.value !== '' && !taken.has(byWords.value)
  const usable = isSure ? [byWords, ...declared] : declared
  const [lang, ...candidates] = new Set(usable.map(({ value }) => value))
  const others = candidates.length > 0 && { candidates: candidates.slice(0, 2) }
  for (const row of usable.slice(0, 1)) guessed.push({ ...row, key: 'lang', ...others })
  return lang
}

function isEnglish(tag: string): boolean {
  return tag.split('-', 1)[0] === 'en'
}
