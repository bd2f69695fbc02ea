import type { PageMeta } from '#adopt/document.ts'
import { publishedPages } from '#adopt/site/hidden-pages.ts'
import { planPages } from '#adopt/site/page-paths.ts'
import type { SiteFacts } from '#adopt/sources/facts.ts'
import { golden } from '#test/support/golden.ts'
import { withoutEmpty } from '../page-facts.ts'
import { generatorNamed, sourcePage } from './source-page.ts'

type Site = Partial<Pick<SiteFacts, 'root' | 'roots' | 'settings'>> & { generator?: string; codeFolders?: string[] }
type Given = {
  pages: readonly ({ path: string; text?: string; site?: Site } & Partial<PageMeta>)[]
  withHidden?: boolean
  kept?: string[]
}

golden('adopt/site/hidden-pages', ({ pages, withHidden = false, kept = [] }: Given) => {
  const sources = pages.map(({ path, text = '', site: { generator = '', codeFolders = [], ...facts } = {}, ...meta }) =>
    sourcePage(
      path,
      meta,
      { ...facts, generator: generatorNamed(generator), codeFolders: new Set(codeFolders) },
      { text },
    ),
  )
  const { published, leftOut } = publishedPages(sources, { today: '2026-06-01', withHidden, kept: new Set(kept) })
  const plans = planPages(published).plans.map(({ entry, to }) => `${entry.path} → ${to}`)
  return withoutEmpty({ plans, leftOut })
})
