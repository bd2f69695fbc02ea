import assert from 'node:assert/strict'
import test from 'node:test'
import { publishedPages } from '#adopt/site/hidden-pages.ts'
import { planPages, type SourcePage } from '#adopt/site/page-paths.ts'
import { generatorNamed, sourcePage } from './source-page.ts'

function publishing(pages: readonly SourcePage[], { withHidden = false, kept = new Set<string>() } = {}) {
  const { published, leftOut } = publishedPages(pages, { today: '2026-06-01', withHidden, kept })
  return { paths: published.map(({ entry }) => entry.path), published, leftOut }
}

test('the page at the root of a site is the home page, and drafts, redirects and tables of contents are left out', () => {
  const { published, leftOut } = publishing([
    sourcePage('README.md', {}, {}, { text: '# Logo' }),
    sourcePage('start.md', { aliases: ['/'] }, {}, { text: '# Start' }),
    sourcePage('b.md', { draft: 'draft: true' }),
    sourcePage('_drafts/c.md'),
    sourcePage('SUMMARY.md', {}, { generator: generatorNamed('GitBook') }),
    sourcePage('old.md', { isRedirect: true }),
  ])
  const seen = planPages(published).plans.map(({ entry, to }) => [entry.path, to])
  assert.deepEqual(seen, [
    ['start.md', 'pages/index.md'],
    ['README.md', 'pages/read-me.md'],
  ])
  assert.deepEqual(leftOut, [
    { path: 'SUMMARY.md', reason: 'a table of contents: pages have its order' },
    { path: 'b.md', reason: 'a draft: draft: true', isHidden: true },
    { path: '_drafts/c.md', reason: 'a draft: it is in _drafts', isHidden: true },
    { path: 'old.md', reason: 'a redirect' },
  ])
})
