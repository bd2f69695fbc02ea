import type { Document } from '../document.ts'
import { joinNotes, type Notes } from '../report/report.ts'
import { languageTag } from '../sources/languages.ts'
import { shownPath } from '../sources/source.ts'
import { type PagePlan, planPages } from './page-paths.ts'

/** Pages in a language; `lang` is empty if paths do not say it. */
type Group = { lang: string; pages: Document[] }

/** The pages of the guide, their language if paths say it, and its translations. */
export type Languages = { main: Document[]; lang: string; others: Group[] }

/** Divides pages by the languages in their paths: that of the settings is the guide, else that of most pages. */
export function byLanguage(pages: readonly Document[], named = ''): Languages {
  const { plain = [], marked = [] } = Object.groupBy(pages, ({ lang }) => (lang === undefined ? 'plain' : 'marked'))
  const groups = Array.from(
    Map.groupBy(marked, ({ lang = '' }) => lang),
    ([lang, pages]): Group => ({ lang: languageTag(lang) ?? lang, pages }),
  )
  groups.sort((a, b) => b.pages.length - a.pages.length || Number(b.lang === 'en') - Number(a.lang === 'en'))
  const [largest = NO_GROUP] = groups
  const isPlain = plain.length * 2 > largest.pages.length
  const tags = [named, ...named.split('-').slice(0, 1)]
  const [main = NO_GROUP] = [...groups.filter(({ lang }) => tags.includes(lang)), ...(isPlain ? [] : [largest])]
  return { main: [...plain, ...main.pages], lang: main.lang, others: groups.filter(group => group !== main) }
}

const NO_GROUP: Group = { lang: '', pages: [] }

/** A translation with its pages, in the order of the guide, and notes on pages that this does not have. */
export type Translation = { lang: string; plans: PagePlan[]; notes: Notes }

export function planTranslations(others: Languages['others'], main: readonly PagePlan[]): Translation[] {
  const orders = new Map(main.map(({ id, meta }) => [id, meta.order]))
  return others.map(({ lang, pages }) => {
    const { plans, notes } = planPages(pages)
    const unpaired = plans.filter(({ id }) => !orders.has(id))
    const why = 'the guide has no page with this path, so it is only in the translation'
    for (const { entry, to } of unpaired)
      notes.guessed.push({ path: shownPath(entry), key: 'translation', value: to, why })
    const ordered = plans.map(plan => {
      const order = orders.get(plan.id) ?? plan.meta.order
      return { ...plan, meta: { ...plan.meta, order } }
    })
    return { lang, plans: ordered, notes: joinNotes([notes, ...ordered.map(plan => plan.notes)]) }
  })
}
