import { byLanguage, planTranslations } from '#adopt/site/by-language.ts'
import { planPages } from '#adopt/site/page-paths.ts'
import { siteFacts } from '#adopt/sources/facts.ts'
import { golden } from '#test/support/golden.ts'
import { sourceEntries } from '../source-entry.ts'
import { sourcePage } from './source-page.ts'

/** The new paths of pages by their projects, as init writes them. */
async function projectsOf(files: Readonly<Record<string, string>>) {
  const entries = sourceEntries(files)
  const { of, named } = await siteFacts(entries)
  const pages = entries.filter(({ path }) => path.endsWith('.md')).map(entry => sourcePage(entry.path, {}, of(entry)))
  const { main, lang = '', others } = byLanguage(pages, named.lang)
  const { plans } = planPages(main)
  const translations = planTranslations(others, plans)
  const shown = [{ lang, plans }, ...translations].map(each => [
    each.lang,
    each.plans.map(({ to }) => to.slice('pages/'.length)),
  ])
  return { shown, unpaired: translations.flatMap(({ notes }) => notes.guessed.map(({ path }) => path)) }
}

golden('adopt/site/by-language', ({ files }: { files: Readonly<Record<string, string>> }) => projectsOf(files))
