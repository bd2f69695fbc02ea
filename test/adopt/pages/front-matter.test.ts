import assert from 'node:assert/strict'
import test from 'node:test'
import { applyPasses } from '#adopt/pages/convert-page.ts'
import { readMeta, withFrontMatter } from '#adopt/pages/front-matter.ts'
import type { PageFacts, PageKind } from '#adopt/pages/page.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { splitOtherFrontMatter } from '#intake/pages/other-front-matter.ts'
import { golden } from '#test/support/golden.ts'
import { pageFacts, TASK } from '../page-facts.ts'

function metaOf(page: string, own: Partial<PageFacts> = {}) {
  const facts = { ...own, baseUrl: '', variables: new Map() }
  const task = { path: 'a.md', shownPath: 'a.md', kind: 'md' as const, facts, includes: new Map() }
  const { meta, notes } = readMeta(splitOtherFrontMatter(page) ?? splitFrontMatter(page), task)
  const { aliases, ...rest } = Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined))
  return { ...rest, aliases, lost: notes.lost.map(({ line, what, text }) => `${line} ${what}: ${text}`) }
}

test('our front matter has a title only if the first heading is another', () => {
  assert.equal(withFrontMatter({ title: 'Logo', aliases: [] }, 'Logo', '# Logo\n'), '# Logo\n')
  const seen = withFrontMatter({ title: 'No: 1', order: 2, aliases: ['old'] }, undefined, '\nText\n')
  assert.equal(seen, '---\ntitle: "No: 1"\norder: 2\naliases:\n  - old\n---\n\nText\n')
})

golden('adopt/pages/front-matter', (given: { page: string; facts?: object } | { whole: string; kind: PageKind }) =>
  'whole' in given
    ? pageFacts(applyPasses(given.whole, { ...TASK, kind: given.kind }, []))
    : metaOf(given.page, given.facts),
)
