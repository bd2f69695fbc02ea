import assert from 'node:assert/strict'
import test from 'node:test'
import type { PageMeta } from '#adopt/document.ts'
import { planPages } from '#adopt/site/page-paths.ts'
import type { SiteFacts } from '#adopt/sources/facts.ts'
import { golden } from '#test/support/golden.ts'
import { noteRows, withoutEmpty } from '../page-facts.ts'
import { generatorNamed, sourcePage } from './source-page.ts'

type Given = {
  /** Paths in the source, or pages with what they say about themselves. */
  pages: readonly (string | ({ path: string } & Partial<PageMeta>))[]
  generator?: string
  order?: Readonly<Record<string, number>>
  labels?: Readonly<Record<string, string>>
  groups?: Readonly<Record<string, string[]>>
  menu?: string[]
} & Partial<Pick<SiteFacts, 'root' | 'baseUrl'>>

test('every page has its own valid id, whatever the names', () => {
  const paths = [
    'Größe.md',
    'grosse.md',
    'a.md',
    'a/index.md',
    '🗂️.md',
    '🎨/🎨.md',
    `${'long '.repeat(60)}.md`,
    `${'x/'.repeat(150)}y.md`,
    'con.md',
    'con/b.md',
    '_pages/c.md',
    'Logo.MD',
    'logo.md',
  ]
  const { plans } = planPages([...paths.map(path => sourcePage(path)), sourcePage('a.md', {}, {}, { label: 'other/' })])
  assert.equal(new Set(plans.map(({ id }) => id)).size, paths.length + 1)
  const tos = plans.filter(({ to }) => /[^\p{L}\p{N} ./-]/u.test(to)).map(({ to }) => to)
  assert.deepEqual(tos, ['pages/con_.md', 'pages/con_/b.md'])
})

golden(
  'adopt/site/page-paths',
  ({ pages, generator = '', order = {}, labels = {}, groups = {}, menu, ...rest }: Given) => {
    const facts = {
      root: rest.root ?? '',
      baseUrl: rest.baseUrl ?? '',
      generator: generatorNamed(generator),
      order: new Map(Object.entries(order)),
      labels: new Map(Object.entries(labels)),
      groups: new Map(Object.entries(groups)),
      menu: new Set(menu ?? ['.']),
    }
    const sources = pages.map(page => {
      const { path, ...meta } = typeof page === 'string' ? { path: page } : page
      return sourcePage(path, meta, facts)
    })
    const { plans, listed, notes } = planPages(sources)
    return withoutEmpty({
      plans: plans.map(({ entry: { path }, to, id, meta }) => withoutEmpty({ path, to, id, ...meta })),
      listed,
      report: noteRows(notes),
    })
  },
)
