import assert from 'node:assert/strict'
import test from 'node:test'
import { applyPasses } from '#adopt/pages/convert-page.ts'
import { readMeta, withFrontMatter } from '#adopt/pages/front-matter.ts'
import type { PageFacts } from '#adopt/pages/page.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { splitOtherFrontMatter } from '#intake/pages/other-front-matter.ts'

function metaOf(page: string, own: Partial<PageFacts> = {}) {
  const facts = { ...own, baseUrl: '', variables: new Map() }
  const task = { path: 'a.md', shownPath: 'a.md', kind: 'md' as const, facts, includes: new Map() }
  const { meta, notes } = readMeta(splitOtherFrontMatter(page) ?? splitFrontMatter(page), task)
  const { aliases, ...rest } = Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined))
  return { ...rest, aliases, lost: notes.lost.map(({ line, what, text }) => `${line} ${what}: ${text}`) }
}

test('title, description, order and earlier addresses are read from YAML, TOML and JSON; other keys are lost', () => {
  const expected = {
    title: 'Logo',
    description: 'Our mark',
    order: 3,
    aliases: ['/old/logo/'],
    lost: ['6 front matter key "layout": wide'],
  }
  const yaml = '---\ntitle: Logo\ndescription: Our mark\nweight: 3\naliases: [/old/logo/]\nlayout: wide\n---\n'
  const toml =
    '+++\ntitle = "Logo"\ndescription = "Our mark"\nweight = 3\naliases = ["/old/logo/"]\nlayout = "wide"\n+++\n'
  const json =
    '{\n"title": "Logo", "description": "Our mark",\n"nav_order": 3,\n"redirect_from": "/old/logo/",\n\n"layout": "wide"\n}\n'
  for (const page of [yaml, toml, json]) assert.deepEqual(metaOf(page), expected)
})

test('a page that is a draft in its system has the reason', () => {
  const drafts = ['draft: true', 'published: false', 'hidden: yes']
  for (const draft of drafts) assert.deepEqual(metaOf(`---\n${draft}\n---\n`), { draft, aliases: [], lost: [] })
  const lost = ['2 front matter key "date": 2999-01-01']
  assert.deepEqual(metaOf('---\ndate: 2999-01-01\ndraft: false\n---\n'), { aliases: [], lost })
})

test('values that ours cannot have are lost, and names in Obsidian are no addresses', () => {
  const page =
    '---\naliases: [The mark]\nid: mark\nnav_order: last\nsidebar: {order: 2, badge: New}\ntags:\n  - a\n  - b: c\n---\n'
  const lost = [
    'front matter key "nav_order": last',
    'front matter key "sidebar.badge": New',
    'front matter key "tags": a, b: c',
  ]
  assert.deepEqual(metaOf(page, { addressKeys: ['permalink'] }), {
    order: 2,
    aliases: [],
    lost: [
      '2 front matter key "aliases": The mark',
      '3 front matter key "id": mark',
      `4 ${lost[0]}`,
      `5 ${lost[1]}`,
      `6 ${lost[2]}`,
    ],
  })
  assert.deepEqual(metaOf('---\nid: mark\nslug: /the-mark\n---\n', { addressKeys: ['id', 'slug'] }).aliases, [
    'mark',
    '/the-mark',
  ])
})

test('lines of front matter that is no YAML are read as far as possible', () => {
  assert.deepEqual(metaOf('---\ntitle: "Logo"\ndate: {{ now }}\n---\n'), {
    title: 'Logo',
    aliases: [],
    lost: ['3 front matter key "date": {{ now }}'],
  })
})

test('a description with headings, lists or paragraphs is the beginning of the page, except of HTML', () => {
  const long = '---\ntitle: Type\ndescription: >-\n  ## Font\n\n  Ours.\n\n\n  Its [file](a.woff2).\n---\nMore\n'
  const task = {
    path: 'a.md',
    shownPath: 'a.md',
    kind: 'md' as const,
    facts: { baseUrl: '', variables: new Map() },
    includes: new Map(),
  }
  const { text, lines, meta, notes } = applyPasses(long, task, [])
  assert.equal(text, '## Font\nOurs.\n\nIts [file](a.woff2).\n\nMore\n')
  assert.deepEqual([lines, meta.description], [[3, 4, 5, 6, 7, 11, 12], undefined])
  assert.deepEqual(notes.converted, [{ path: 'a.md', line: 3, what: 'description', became: 'text' }])
  assert.equal(applyPasses(long, { ...task, kind: 'html' }, []).meta.description, '## Font Ours. Its [file](a.woff2).')
  const two = metaOf('---\ndescription: |\n  One line,\n  and another\n---\n')
  assert.deepEqual(two, { description: 'One line, and another', aliases: [], lost: [] })
})

test('a key that is repeated keeps its first value, and the others are lost', () => {
  const lost = ['4 front matter key "title": Mark']
  assert.deepEqual(metaOf('---\ntitle: Logo\norder: 1\ntitle: Mark\n---\n'), {
    title: 'Logo',
    order: 1,
    aliases: [],
    lost,
  })
})

test('our front matter has a title only if the first heading is another', () => {
  assert.equal(withFrontMatter({ title: 'Logo', aliases: [] }, 'Logo', '# Logo\n'), '# Logo\n')
  const seen = withFrontMatter({ title: 'No: 1', order: 2, aliases: ['old'] }, undefined, '\nText\n')
  assert.equal(seen, '---\ntitle: "No: 1"\norder: 2\naliases:\n  - old\n---\n\nText\n')
})
