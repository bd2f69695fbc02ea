import assert from 'node:assert/strict'
import test from 'node:test'
import { planPages } from '#adopt/site/page-paths.ts'
import type { SiteFacts } from '#adopt/sources/facts.ts'
import { FACTS, generatorNamed, sourcePage } from './source-page.ts'

/** The new path of each page by its path in the source. */
function pathsOf(paths: readonly string[], facts: Partial<SiteFacts> = {}) {
  const { plans } = planPages(paths.map(path => sourcePage(path, {}, facts)))
  return Object.fromEntries(plans.map(({ entry, to }) => [entry.path, to.slice('pages/'.length)]))
}

test('a Word file alone is the home page, and other pages alone keep their names', () => {
  assert.deepEqual(pathsOf(['book/Handbook.docx']), { 'book/Handbook.docx': 'index.md' })
  assert.deepEqual(pathsOf(['logo.html']), { 'logo.html': 'logo.md' })
})

test('pages keep their tree without the root of a generator, numbers, and what exports add to names', () => {
  assert.deepEqual(
    pathsOf(['docs/01-logo.md', 'docs/02-Colour/index.mdx', 'docs/02-Colour/10_print.md'], { root: 'docs' }),
    {
      'docs/01-logo.md': 'logo.md',
      'docs/02-Colour/index.mdx': 'Colour/index.md',
      'docs/02-Colour/10_print.md': 'Colour/10_print.md',
    },
  )
  assert.deepEqual(pathsOf(['1. Logo.md', '02 - Type.md', '100-years.md', '2024-01-05-post.md', '3d-logo.md']), {
    '1. Logo.md': 'Logo.md',
    '02 - Type.md': 'Type.md',
    '100-years.md': '100-years.md',
    '2024-01-05-post.md': '2024-01-05-post.md',
    '3d-logo.md': '3d-logo.md',
  })
  const notion = 'Brand 3f8a1c5e7b9d4a0f8e2c6d1b5a7f9e03'
  assert.deepEqual(pathsOf([`${notion}.md`, `${notion}/Logo ${'ab12'.repeat(8)}.md`], { root: notion }), {
    [`${notion}.md`]: 'index.md',
    [`${notion}/Logo ${'ab12'.repeat(8)}.md`]: 'Logo.md',
  })
  assert.deepEqual(
    pathsOf(['Space/Logo_65540.html', 'Space/index.html'], { generator: generatorNamed('Confluence'), root: 'Space' }),
    {
      'Space/Logo_65540.html': 'Logo.md',
      'Space/index.html': 'index.md',
    },
  )
})

test('pages without a folder get one for their group in the navigation', () => {
  const groups = new Map([
    ['docs/index.md', ['Start']],
    ['docs/logo.md', ['Marks: signs']],
    ['docs/type/sans.md', ['Letters']],
  ])
  assert.deepEqual(pathsOf([...groups.keys(), 'docs/a.md'], { root: 'docs', groups }), {
    'docs/index.md': 'index.md',
    'docs/logo.md': 'Marks_ signs/logo.md',
    'docs/type/sans.md': 'type/sans.md',
    'docs/a.md': 'a.md',
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
  const seen = plans.map(({ to, id }) => [to, id])
  assert.deepEqual(seen, [
    ['pages/index.md', 'index'],
    ['pages/read-me.md', 'read-me'],
  ])
  const found = notes.guessed.map(({ path, value }) => [path, value])
  assert.deepEqual(found, [['README.md', 'pages/read-me.md']])
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
  const { plans } = planPages([...paths.map(path => sourcePage(path)), sourcePage('a.md', {}, {}, { label: 'other/' })])
  assert.equal(new Set(plans.map(({ id }) => id)).size, paths.length + 1)
  const tos = plans.filter(({ to }) => /[^\p{L}\p{N} ./-]/u.test(to)).map(({ to }) => to)
  assert.deepEqual(tos, ['pages/con_.md', 'pages/con_/b.md'])
})

test('orders of folders that numbers of pages cannot give become a list of all pages', () => {
  const flat = ['1-logo.md', '2-colour.md', '3-type/README.md', '3-type/web.md'].map(path => sourcePage(path))
  assert.deepEqual(planPages(flat).listed, [])
  const nested = ['01-logo/02-misuse.md', '01-logo/01-space.md', '02-colour/01-print.md', 'index.md'].map(path =>
    sourcePage(path),
  )
  const { plans, listed } = planPages(nested)
  assert.deepEqual(listed, ['index', 'logo/space', 'logo/misuse', 'colour/print'])
  assert.deepEqual(plans.map(({ id, page }) => [id, page.meta.order]).sort(), [
    ['colour/print', 1],
    ['index', undefined],
    ['logo/misuse', 2],
    ['logo/space', 1],
  ])
  const labels = new Map([
    ['a', 'Marks'],
    ['b.md', 'Bee'],
  ])
  const facts = { ...FACTS, order: new Map([['a', 7]]), labels }
  const named = planPages([
    { ...sourcePage('a/index.md'), facts },
    { ...sourcePage('b.md', { order: 2 }), facts },
  ])
  const seen = named.plans.map(({ page: { meta } }) => [meta.order, meta.nav])
  assert.deepEqual(seen, [
    [7, 'Marks'],
    [2, 'Bee'],
  ])
})

test('earlier addresses become aliases, unless they are those of another page', () => {
  const facts = { generator: generatorNamed('Docusaurus'), baseUrl: '/brand' }
  const { plans, notes } = planPages([
    sourcePage(
      'logo/mark.md',
      { aliases: ['/brand/Old/Mark.html', 'the-mark', '/logo/mark/', '/type', '/x/🎨', '//'] },
      facts,
    ),
    sourcePage('type.md', { aliases: ['/old/mark'] }, facts),
  ])
  const seen = plans.map(({ page }) => page.meta.aliases)
  assert.deepEqual(seen, [['old/mark', 'logo/the-mark'], []])
  const found = notes.lost.map(({ path, text }) => [path, text])
  assert.deepEqual(found, [
    ['logo/mark.md', '/type'],
    ['logo/mark.md', '/x/🎨'],
    ['logo/mark.md', '//'],
    ['type.md', '/old/mark'],
  ])
})
