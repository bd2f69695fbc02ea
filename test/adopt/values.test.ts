import assert from 'node:assert/strict'
import test from 'node:test'
import type { ValueTable } from '#adopt/document.ts'
import { type AdoptedValues, adoptValues, mayHaveStyles, sheetsOf } from '#adopt/values.ts'
import { golden } from '#test/support/golden.ts'
import { kindOf, noteRows, withoutEmpty } from './page-facts.ts'
import { sourceEntry } from './source-entry.ts'

type Options = { tables?: readonly { shownPath: string; table: ValueTable }[]; groups?: readonly string[] }

/** Adopts files by path, with their contents as text or as an object to write as JSON. */
function adopted(files: Readonly<Record<string, string | object>>, { tables = [], groups = [] }: Options = {}) {
  const entries = Object.entries(files).map(([path, content]) =>
    sourceEntry(path, typeof content === 'string' ? content : JSON.stringify(content)),
  )
  return adoptValues(entries, tables, { groups })
}

const colors = (values: Readonly<Record<string, string>>) => ({
  color: { $type: 'color', ...Object.fromEntries(Object.entries(values).map(([key, $value]) => [key, { $value }])) },
})

function summaryOf({ styles, merged, leftOut }: AdoptedValues) {
  return {
    colors: styles.colors.map(({ name, hex }) => `${name} ${hex}`),
    merged: merged.map(({ entry, into }) => `${entry.path} in ${into}`),
    leftOut: Array.from(leftOut, ([{ path }, { reason }]) => `${path}: ${reason.slice(0, 30)}`).filter(
      line => !merged.some(({ entry }) => line.startsWith(`${entry.path}:`)),
    ),
  }
}

const TABLE = {
  shownPath: 'colour.md',
  table: {
    line: 7,
    header: ['Name', 'Hex', 'CMYK', 'HKS'],
    rows: [
      ['Ink', '#111111', '0 0 0 90', '97 K'],
      ['Fire', '#ff6a13', '', ''],
      ['Sea', '#001122', '', ''],
    ],
  },
}

test('style sheets inside pages are read once, as a part of their page', async () => {
  const pages = ['a.html', 'b.html', 'c.html'].map((path, at) => ({
    entry: sourceEntry(path),
    sheet: at < 2 ? '\n:root { --ink: #123; --veil: #12345680 }' : '',
  }))
  const { styles, notes } = await adoptValues(sheetsOf(pages), [], { groups: [] })
  const names = styles.colors.map(({ name }) => name)
  assert.deepEqual(names, ['ink'])
  assert.deepEqual(notes.converted, [
    { path: 'a.html', line: 1, what: 'style sheet of the page', became: 'styles/colors.yaml' },
  ])
  const seen = notes.lost.map(({ path, line }) => [path, line])
  assert.deepEqual(seen, [['a.html', 2]])
})

test('of more than 200 colours those that only name another go, or those outside the chosen groups', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`c${at}`, `#000${String(at).padStart(3, '0')}`]),
  )
  const files = { 'core.json': { core: colors(many) }, 'use.json': { use: colors({ ink: '{core.color.c7}' }) } }
  const kept = await adopted(files, { tables: [TABLE] })
  assert.deepEqual(summaryOf(kept).colors.slice(249), [
    'color c249 #000249',
    'Ink #111111',
    'Fire #ff6a13',
    'Sea #001122',
  ])
  assert.deepEqual(kept.notes.lost, [
    {
      path: 'use.json',
      line: 1,
      what: 'colours that only name another one, of more than 200: choose groups with --tokens GROUP',
      text: 'use.color: ink #000007',
    },
  ])
  assert.deepEqual(summaryOf(await adopted(files, { groups: ['use'] })).colors, ['ink #000007'])
  assert.equal((await adopted(files, { groups: ['core', 'use'] })).styles.colors.length, 251)
  await assert.rejects(
    adopted(files, { groups: ['gone'] }),
    /no colour is in the group "gone" of --tokens; the source has: core.color, use.color/,
  )
})

test('one colour in tokens and in the sheet made of them is one before anything is counted', async () => {
  const many = Array.from({ length: 120 }, (_, at) => [`sea-${at}`, `#000${String(at).padStart(3, '0')}`] as const)
  const sheet = `:root { ${many.map(([name, hex]) => `--color-${name}: ${hex}`).join('; ')}; --color-link: #000007 }`
  const link = { $value: '{color.sea-7}', $description: 'Links' }
  const tokens = { color: { ...colors(Object.fromEntries(many)).color, link } }
  const values = await adopted({ 'a.css': sheet, 'tokens.json': tokens })
  assert.equal(values.styles.colors.length, 121)
  assert.deepEqual(values.notes.lost, [])
  const merged = values.merged.map(({ entry }) => entry.path)
  assert.deepEqual(merged, ['a.css', 'tokens.json'])
})

test('a file may have styles by its path', () => {
  const paths = ['tokens.json', '_brand.yml', 'DESIGN.md', 'a.scss', 'tokens/a.yaml', 'a.tokens', 'a.acb', 'mkdocs.yml']
  const kept = paths.filter(path => mayHaveStyles(sourceEntry(path, ' ')))
  assert.deepEqual(kept, paths.slice(0, 7))
})

golden(
  'adopt/values',
  async ({ files, ...options }: Options & { files: Readonly<Record<string, string | object>> }) => {
    const { styles, merged, leftOut, links, notes } = await adopted(files, options)
    return withoutEmpty({
      ...styles,
      links,
      merged: merged.map(({ entry, into }) => `${entry.path} in ${into}`),
      leftOut: Array.from(leftOut, ([{ path }, why]) => `${path}: ${kindOf(why.reason, why)}`),
      report: noteRows(notes),
    })
  },
)
