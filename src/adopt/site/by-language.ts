import { addNotes, type Notes } from '../report/report.ts'
import { languageTag } from '../sources/languages.ts'
import { shownPath } from '../sources/source.ts'
import { type PagePlan, planPages, type SourcePage } from './page-paths.ts'

/** The pages of the guide, their language if paths say it, and its translations. */
export type Languages = {
  main: SourcePage[]
  lang: string | undefined
  others: { lang: string; pages: SourcePage[] }[]
}

/** Divides pages by the languages in their paths: that of the settings is the guide, else that of most pages. */
export function byLanguage(pages: readonly SourcePage[], named: string | undefined): Languages {
  const groups = Map.groupBy(pages, ({ lang = '' }) => lang)
  const plain = groups.get('') ?? []
  const langs = [...groups.keys()].filter(lang => lang !== '')
  const sizeOf = (lang: string) => groups.get(lang)?.length ?? 0
  const largest = langs.toSorted((a, b) => sizeOf(b) - sizeOf(a) || Number(b === 'en') - Number(a === 'en'))[0] ?? ''
  const isPlain = plain.length * 2 > sizeOf(largest)
  const main = langs.find(lang => isSame(lang, named)) ?? (isPlain ? '' : largest)
  const others = langs.filter(lang => lang !== main && !(isPlain && isSame(lang, named)))
  return {
    main: main === '' ? plain : [...plain, ...(groups.get(main) ?? [])],
    lang: languageTag(main),
    others: others.map(lang => ({ lang: languageTag(lang) ?? lang, pages: groups.get(lang) ?? [] })),
  }
}

function isSame(lang: string, named: string | undefined): boolean {
  const tag = languageTag(lang)
  return tag !== undefined && named !== undefined && (tag === named || tag === named.split('-')[0])
}

/** A translation with its pages, in the order of the guide, and notes on pages that this does not have. */
export type Translation = { lang: string; plans: PagePlan[]; notes: Notes }

export function planTranslations(others: Languages['others'], main: readonly PagePlan[]): Translation[] {
  const byId = new Map(main.map(plan => [plan.id, plan]))
  return others.map(({ lang, pages }) => {
    const { plans, notes } = planPages(pages)
    const unpaired = plans.filter(({ id }) => !byId.has(id))
    const why = 'the guide has no page with this path, so it is only in the translation'
    for (const { entry, to } of unpaired)
      notes.guessed.push({ path: shownPath(entry), key: 'translation', value: to, why })
    const ordered = plans.map(plan => {
      const order = byId.get(plan.id)?.page.meta.order ?? plan.page.meta.order
      return { ...plan, page: { ...plan.page, meta: { ...plan.page.meta, order } } }
    })
    for (const { page } of ordered) addNotes(notes, page.notes)
    return { lang, plans: ordered, notes }
  })
}
