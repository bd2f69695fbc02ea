import type { PageHead } from '#adopt/document.ts'
import { identify } from '#adopt/site/identity.ts'
import { planPages } from '#adopt/site/page-paths.ts'
import type { SiteFacts } from '#adopt/sources/facts.ts'
import { golden } from '#test/support/golden.ts'
import { noteRows, withoutEmpty } from '../page-facts.ts'
import { FACTS, sourcePage } from './source-page.ts'

type Page = { path: string; text?: string; lang?: string; head?: Partial<PageHead>; off?: string }
type Given = { pages: readonly Page[]; named?: Partial<SiteFacts> }

golden('adopt/site/identity', ({ pages, named = {} }: Given) => {
  const sources = pages.map(({ path, text = '', lang, head, off }) => {
    const source = sourcePage(path, lang === undefined ? {} : { lang }, {}, { text })
    if (!head) return source
    return { ...source, off, head: { logos: [], icons: [], nav: [], ...head } }
  })
  const { plans } = planPages(sources.filter(({ off }) => off === undefined))
  const languages = { main: sources, lang: '', others: [] }
  const given = { title: 'Folder', languages, styles: { colors: [], types: [] } }
  const { name, lang, home, notes } = identify(plans, sources, { named: { ...FACTS, ...named } }, given)
  return withoutEmpty({ name, lang, home, report: noteRows(notes) })
})
