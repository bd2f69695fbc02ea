import assert from 'node:assert/strict'
import test from 'node:test'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget } from '#intake/reading.ts'
import { findingLines } from '../../support/problems.ts'
import { folderWith } from '../../support/temporary.ts'
import { READ_OPTIONS, read } from '../reading.ts'

const page = (field: string) => `---\ntitle: New name\n${field}\n---\n\nZephyr.\n`

// On 2026-11-22, the day of READ_OPTIONS.
const LEFT_OUT = [
  'draft: true|draft: "true"|Draft: yes|hidden: true|unlisted: true|private: true|published: false',
  'publish: no|published: 2031-01-01|publishDate: 2026-11-23T09:00:00+02:00|publish_date: 2026-11-23',
  'date: 31 May 2031|expiryDate: 2026-11-21',
].flatMap(list => list.split('|'))

const PUBLISHED: [field: string, rule: string | undefined][] = [
  ['draft: false', undefined],
  ['hidden:', undefined],
  ['published: true', undefined],
  ['publishDate: 2026-11-22', undefined],
  ['expiryDate: 2026-11-22', undefined],
  ['date: 2020-01-01', 'front-matter-key-unknown 3'],
  ['publishDate: soon', 'front-matter-value-unknown 3'],
  ['status: draft', 'front-matter-value-unknown 3'],
  ['status: stable', 'front-matter-key-unknown 3'],
]

test('a page that other programs keep off their sites is left out, with a warning at the field', async () => {
  const pages = LEFT_OUT.map((field, at) => [`pages/p${at}.md`, page(field)] as const)
  const { drafts, findings } = await read({ 'pages/index.md': '# Home\n', ...Object.fromEntries(pages) })
  const ids = drafts[0]?.pages.map(({ id }) => id)
  assert.deepEqual(ids, ['index'])
  for (const [at, field] of LEFT_OUT.entries()) {
    const found = findings.filter(({ path }) => path === `pages/p${at}.md`)
    const seen = found.map(({ rule, severity, line }) => [rule, severity, line])
    assert.deepEqual(seen, [['page-draft', 'warning', 3]], field)
  }
})

test('a page whose fields say that it is public, or nothing, is published', async () => {
  const pages = PUBLISHED.map(([field], at) => [`pages/p${at}.md`, page(field)] as const)
  const { drafts, findings } = await read(Object.fromEntries(pages))
  assert.equal(drafts[0]?.pages.length, PUBLISHED.length)
  for (const [at, [field, rule]] of PUBLISHED.entries()) {
    const found = findings.filter(({ path }) => path === `pages/p${at}.md`)
    const seen = found.map(each => `${each.rule} ${each.line}`)
    assert.deepEqual(seen, rule === undefined ? [] : [rule], field)
  }
})

test('a day is the one that is written, in any time zone', async t => {
  const { TZ } = process.env
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  for (const zone of ['Asia/Tokyo', 'America/Los_Angeles']) {
    process.env.TZ = zone
    // On 2026-11-22.
    const { findings } = await read({
      'pages/index.md': page('publishDate: 22 Nov 2026'),
      'pages/later.md': page('publishDate: 23 Nov 2026'),
    })
    assert.deepEqual(
      findings.map(({ path, rule }) => `${path} ${rule}`),
      ['pages/later.md page-draft'],
      zone,
    )
  }
})

const REBRAND = {
  'pages/index.md': '[New](rebrand.md) ![Mark](../files/mark.svg)\n',
  'pages/rebrand.md': page('draft: true').replace('Zephyr', '![Zephyr](../files/zephyr.svg) ![](../files/mark.svg)'),
  'files/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  'files/zephyr.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>',
  'project.yaml': 'pages: [rebrand]\n',
}

test('links to a page that is left out, and files that only it shows, are named', async () => {
  const { findings } = await read(REBRAND)
  assert.deepEqual(findingLines(findings), [
    'pages/rebrand.md:3 warning page-draft: the page is left out, because it has "draft: true"; remove the line to publish it. Only this page shows "files/zephyr.svg", which are published: begin their names with _ to leave them out',
    'pages/index.md:1 warning link-broken: the link "rebrand.md" points to a page that is left out as a draft; remove the link, or publish the page',
  ])
})

test('a preview has such a page, marked as a draft', async () => {
  const folder = await folderWith(REBRAND)
  const marks: [string, boolean | undefined][] = []
  const draft = ({ pages }: { pages: Iterable<{ id: string; draft?: boolean }> }) =>
    void marks.push(...Array.from(pages, ({ id, draft }): [string, boolean | undefined] => [id, draft]))
  const options = { ...READ_OPTIONS, showsDrafts: true, targetFor: () => ({ ...noTarget, draft }) }
  const { findings } = await readBrandFolder(folder, options)
  assert.deepEqual(marks, [
    ['rebrand', true],
    ['index', undefined],
  ])
  const rules = findings.map(({ rule }) => rule)
  assert.deepEqual(rules, ['page-draft'])
})
