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

test('a README for developers, beside code, or of a site with another home page is no page', () => {
  const code = new Set(['components/button'])
  const pages = [
    sourcePage('README.md', {}, { codeFolders: code }, { text: '# Setup\n\n```sh\nnpm install\n```\n' }),
    sourcePage('components/button/README.md', {}, { codeFolders: code }, { text: '# Button' }),
    sourcePage('logos/README.md', {}, { codeFolders: code }, { text: '# Logos' }),
  ]
  assert.deepEqual(publishing(pages).paths, ['logos/README.md'])
  const [text, kept] = ['`git clone x` or see [the logos](logos)', new Set(['logos/'])]
  assert.deepEqual(publishing([sourcePage('README.md', {}, {}, { text })], { kept }).paths, ['README.md'])
  const site = { settings: 'mkdocs.yml', root: 'docs', roots: ['docs'] }
  const all = ['README.md', 'docs/index.md'].map(path => sourcePage(path, {}, site, { text: '# Brand' }))
  assert.deepEqual(publishing(all).paths, ['docs/index.md'])
  const both = ['README.md', 'docs/README.md'].map(path => sourcePage(path, {}, site, { text: '# Brand' }))
  assert.deepEqual(publishing(both).paths, ['docs/README.md'])
})

test('states of folders above hide a page, and hidden pages are taken if they are wanted', () => {
  const cascades = [{ glob: '/notes/**', why: 'cascade: draft: true' }]
  const pages = [
    sourcePage('content/_index.md', { cascades }, { root: 'content' }, { text: '# A' }),
    sourcePage('content/notes/b.md', {}, { root: 'content' }, { text: '# B' }),
    sourcePage('_posts/2099-01-02-c.md', {}, { generator: generatorNamed('Jekyll') }, { text: '# C' }),
    sourcePage('d.md', {}, {}),
  ]
  assert.deepEqual(publishing(pages).paths, ['content/_index.md'])
  assert.deepEqual(
    publishing(pages, { withHidden: true }).paths,
    pages.slice(0, 3).map(({ entry }) => entry.path),
  )
})
