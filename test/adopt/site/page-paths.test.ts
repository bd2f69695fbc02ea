import assert from 'node:assert/strict'
import test from 'node:test'
import type { PageMeta } from '../../../src/adopt/pages/page.ts'
import { planPages } from '../../../src/adopt/site/page-paths.ts'
import type { SiteFacts } from '../../../src/adopt/sources/facts.ts'

const FACTS: SiteFacts = {
  root: '',
  baseUrl: '',
  publicRoots: [],
  order: new Map(),
  labels: new Map(),
  variables: new Map(),
}

function sourcePage(path: string, meta: Partial<PageMeta> = {}, facts: Partial<SiteFacts> = {}, label = '') {
  const entry = { path, label, size: 0, read: async () => Buffer.from(''), copyTo: async () => undefined }
  const notes = { converted: [], lost: [], guessed: [] }
  const page = { text: '', lines: [], meta: { aliases: [], ...meta }, notes, pictures: [], tables: [] }
  return { entry, page, facts: { ...FACTS, ...facts } }
}

/** The new path of each page by its path in the source. */
function pathsOf(paths: readonly string[], facts: Partial<SiteFacts> = {}) {
  const { plans } = planPages(paths.map(path => sourcePage(path, {}, facts)))
  return Object.fromEntries(plans.map(({ entry, to }) => [entry.path, to.slice('pages/'.length)]))
}

test('pages keep their tree without the root of a generator, numbers, and what exports add to names', () => {
  assert.deepEqual(
    pathsOf(['docs/01-logo.md', 'docs/02-Colour/index.mdx', 'docs/02-Colour/10_print.md'], { root: 'docs' }),
    {
      'docs/01-logo.md': 'logo.md',
      'docs/02-Colour/index.mdx': 'Colour/index.md',
      'docs/02-Colour/10_print.md': 'Colour/10_print.md',
    },
  )
  const notion = 'Brand 3f8a1c5e7b9d4a0f8e2c6d1b5a7f9e03'
  assert.deepEqual(pathsOf([`${notion}.md`, `${notion}/Logo ${'ab12'.repeat(8)}.md`], { root: notion }), {
    [`${notion}.md`]: 'index.md',
    [`${notion}/Logo ${'ab12'.repeat(8)}.md`]: 'Logo.md',
  })
  assert.deepEqual(pathsOf(['Space/Logo_65540.html', 'Space/index.html'], { generator: 'confluence', root: 'Space' }), {
    'Space/Logo_65540.html': 'Logo.md',
    'Space/index.html': 'index.md',
  })
})

test('the index of a folder is _index.md, index or README, and a README beside an index is its own page', () => {
  assert.deepEqual(pathsOf(['a/_index.md', 'b/README.md', 'c/index.html', 'c/readme.md', '3 rules.md']), {
    'a/_index.md': 'a/index.md',
    'b/README.md': 'b/index.md',
    'c/index.html': 'c/index.md',
    'c/readme.md': 'c/read-me.md',
    '3 rules.md': '3 rules.md',
  })
  const { plans, notes } = planPages([
    sourcePage('README.md', {}, { root: 'docs' }),
    sourcePage('docs/index.md', {}, { root: 'docs' }),
  ])
  assert.deepEqual(
    plans.map(({ to, id }) => [to, id]),
    [
      ['pages/index.md', 'index'],
      ['pages/read-me.md', 'read-me'],
    ],
  )
  assert.deepEqual(
    notes.guessed.map(({ path, value }) => [path, value]),
    [['README.md', 'pages/read-me.md']],
  )
})

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
  const { plans } = planPages([...paths.map(path => sourcePage(path)), sourcePage('a.md', {}, {}, 'other/')])
  assert.equal(new Set(plans.map(({ id }) => id)).size, paths.length + 1)
  assert.deepEqual(
    plans.filter(({ to }) => /[^\p{L}\p{N} ./-]/u.test(to)).map(({ to }) => to),
    ['pages/con_.md', 'pages/con_/b.md'],
  )
})
