import assert from 'node:assert/strict'
import test from 'node:test'
import type { PageHead } from '#adopt/pages/page.ts'
import { identify } from '#adopt/site/identity.ts'
import { planPages, type SourcePage } from '#adopt/site/page-paths.ts'
import { FACTS, sourcePage } from './source-page.ts'

function withHead(path: string, head: Partial<PageHead>, off?: string): SourcePage {
  const source = sourcePage(path, {}, {}, { text: 'Text' })
  return { ...source, off, page: { ...source.page, head: { logos: [], icons: [], nav: [], ...head } } }
}

function identityOf(pages: readonly SourcePage[], named = {}) {
  const { plans } = planPages(pages.filter(({ off }) => off === undefined))
  const { name, lang, home, notes } = identify(
    plans,
    pages,
    { named: { ...FACTS, ...named } },
    { title: 'Folder', lang: undefined, styles: { colors: [], types: [] } },
  )
  return { name, lang, home, guessed: notes.guessed.map(({ key, value }) => `${key}: ${value}`) }
}

test('the language is that of settings, of most pages in HTML, or of front matter, and is guessed', () => {
  const pages = [
    withHead('index.html', { lang: 'ja' }),
    withHead('a.html', { lang: 'ja' }),
    sourcePage('b.md', { lang: 'en_gb' }),
  ]
  assert.deepEqual(identityOf(pages, { name: 'Brand' }).guessed, ['lang: ja'])
  assert.equal(identityOf(pages, { name: 'Brand', lang: 'nl' }).lang, 'nl')
  assert.equal(identityOf(pages.slice(2)).lang, 'en-GB')
  assert.equal(identityOf([withHead('index.html', { lang: 'klingon!' })]).lang, undefined)
})

test('a guide whose home page has no title is named by the README', () => {
  const pages = [withHead('docs/index.html', {}), sourcePage('README.md', {}, {}, { text: '# Acme brand' })]
  assert.equal(identityOf(pages).name, 'Acme brand')
})

test('a source without pages gets a home page, whose name may have signs of YAML and Markdown', () => {
  const { home = '', guessed } = identityOf([], { name: 'A: *b* # c' })
  const text = 'Write here what everyone who works with the brand must know first.'
  assert.match(home, /^---\ntitle: Welcome\ndescription: "How A: \*b\* # c looks and speaks\."\n---\n\n# A: \\\*b/)
  assert.ok(home.endsWith(`\n\n${text}\n`))
  assert.deepEqual(guessed, ['home: A: *b* # c'])
})

test('a site without a home page gets one of its title and description', () => {
  const described = { name: 'Brand', description: 'Our *marks*.' }
  const { home, guessed } = identityOf([sourcePage('logo.md')], described)
  assert.deepEqual([home, guessed], ['# Brand\n\nOur \\*marks\\*.\n', ['home: Brand']])
  assert.equal(identityOf([sourcePage('index.md')], described).home, undefined)
  assert.equal(identityOf([sourcePage('logo.md')]).home, undefined)
  const script = withHead('index.html', { title: 'Kelp', lang: 'nl' }, 'its content is written by a script')
  const found = identityOf([script, sourcePage('logo.md')])
  assert.deepEqual([found.name, found.lang, found.home], ['Kelp', 'nl', '# Kelp\n'])
})
