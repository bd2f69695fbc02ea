import assert from 'node:assert/strict'
import test from 'node:test'
import type { ValueTable } from '#adopt/pages/page.ts'
import type { Entry } from '#adopt/sources/source.ts'
import { type AdoptedValues, adoptValues, mayHaveStyles, sheetsOf } from '#adopt/values.ts'

type Options = { tables?: readonly { shownPath: string; table: ValueTable }[]; groups?: readonly string[] }

/** Adopts files by path, with their contents as text or as an object to write as JSON. */
function adopted(files: Readonly<Record<string, string | object>>, { tables = [], groups = [] }: Options = {}) {
  const entries = Object.entries(files).map(([path, content]) => {
    const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
    return { path, label: '', size: bytes.length, read: async () => bytes, copyTo: async () => undefined }
  })
  return adoptValues(entries, tables, { groups })
}

const colors = (values: Readonly<Record<string, string>>) => ({
  color: { $type: 'color', ...Object.fromEntries(Object.entries(values).map(([key, $value]) => [key, { $value }])) },
})

function summaryOf({ styles, merged, leftOut }: AdoptedValues) {
  return {
    colors: styles.colors.map(({ name, hex }) => `${name} ${hex}`),
    merged: merged.map(({ entry, into }) => `${entry.path} in ${into}`),
    leftOut: Array.from(leftOut, ([{ path }, reason]) => `${path}: ${reason.slice(0, 30)}`).filter(
      line => !merged.some(({ entry }) => line.startsWith(`${entry.path}:`)),
    ),
  }
}

test('files are read together, and one that cannot be read or has no token stops none of the others', async () => {
  const values = await adopted({
    'core.json': { core: colors({ blue: '#0b4f6c' }) },
    'semantic.json': {
      action: { $type: 'color', $value: '{core.color.blue}' },
      gap: { $type: 'dimension', $value: '4px' },
    },
    'brand.css': ':root { --paper: #fff; }',
    'type.json': { body: { $type: 'typography', $value: { fontFamily: 'Inter', fontSize: '16px' } } },
    'broken.json': '{',
    'data.json': { a: 1 },
    'tokens.json5': '{}',
  })
  assert.deepEqual(summaryOf(values), {
    colors: ['blue #0b4f6c', 'action #0b4f6c', 'paper #ffffff'],
    merged: [
      'core.json in styles/colors.yaml',
      'semantic.json in styles/colors.yaml',
      'brand.css in styles/colors.yaml',
      'type.json in styles/types.yaml',
    ],
    leftOut: ['broken.json: is not JSON: Expected property', 'tokens.json5: is JSON5; write it as JSON, an'],
  })
  assert.deepEqual(values.notes.lost, [
    {
      path: 'semantic.json',
      line: 1,
      what: 'a single token of the type "dimension" is not a style',
      text: 'gap: 4px',
    },
  ])
})

test('a member of a token that is not read is lost with its value, also without one', async () => {
  const values = await adopted({
    'core.json': { blue: { $type: 'color', $value: '#0b4f6c', contrast: null, steps: 3 } },
  })
  const seen = values.notes.lost.map(({ what, text }) => `${what}: ${text}`)
  assert.deepEqual(seen, ['"contrast" is not read: blue: null', '"steps" is not read: blue: 3'])
})

test('values of files for dark belong to their colours; those without one are lost', async () => {
  const files = {
    'core.json': { core: colors({ sky: '#9ad', night: '#012' }) },
    'light/ink.json': colors({ ink: '{core.color.night}' }),
    'dark/ink.json': colors({ ink: '{core.color.sky}', edge: '#333' }),
    'theme.css': ':root { --page: #fff }\n.dark { --page: #000 }\n',
  }
  const values = await adopted(files)
  const { leftOut, colors: taken } = summaryOf(values)
  assert.deepEqual(taken, ['sky #99aadd', 'night #001122', 'ink #001122', 'page #ffffff'])
  assert.deepEqual(leftOut, ['dark/ink.json: values of another scheme or co'])
  const seen = values.notes.lost.map(({ path, line, what, text }) => `${path}:${line} ${what}: ${text}`)
  assert.deepEqual(seen, ['dark/ink.json:1 a value of a second scheme, such as dark: color.edge: hex #333333'])
  const only = await adopted({ 'dark.json': colors({ ink: '#eee' }) })
  assert.deepEqual(summaryOf(only).colors, ['ink #eeeeee'])
})

test('groups and sets for dark belong to the colours of those for light, and shades called dark are colours', async () => {
  const text = (value: string) => ({ text: { value, type: 'color' } })
  const values = await adopted({
    'studio.json': { light: text('#111'), dark: text('#eee'), $metadata: { tokenSetOrder: ['light', 'dark'] } },
    'a.json': { color: { $type: 'color', gray: { light: { $value: '#ddd' }, dark: { $value: '#222' } } } },
  })
  assert.deepEqual(summaryOf(values).colors, ['light text #111111', 'gray light #dddddd', 'gray dark #222222'])
  const seen = values.notes.lost.map(({ path, text }) => `${path} ${text}`)
  assert.deepEqual(seen, [])
  assert.equal(values.styles.colors[0]?.dark, '#eeeeee')
})

test('a resolver document takes the files of its default context and of dark, and the values of others are lost', async () => {
  const context = (path: string) => [{ $ref: path }]
  const values = await adopted({
    'a.resolver.json': {
      version: '2025.10',
      modifiers: {
        theme: {
          default: 'light',
          contexts: { light: context('light.json'), dark: context('dark.json'), print: context('print.json') },
        },
      },
      resolutionOrder: [{ $ref: '#/modifiers/theme' }],
    },
    'light.json': colors({ ink: '#111' }),
    'dark.json': colors({ ink: '#eee' }),
    'print.json': colors({ ink: '#000' }),
  })
  assert.deepEqual(summaryOf(values), {
    colors: ['ink #111111'],
    merged: ['a.resolver.json', 'light.json', 'dark.json'].map(name => `${name} in styles/colors.yaml`),
    leftOut: ['print.json: values of another scheme or co'],
  })
  assert.ok(values.notes.lost.some(({ path, text }) => path === 'print.json' && text === 'color.ink: hex #000000'))
  assert.equal(values.styles.colors[0]?.dark, '#eeeeee')
})

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

test('a colour in a table is one with that of a file, print values arrive as written, and a conflict is told', async () => {
  const values = await adopted({ 'tokens.json': colors({ ink: '#111', sea: '#003344' }) }, { tables: [TABLE] })
  const seen = values.styles.colors.map(({ id, hex, cmyk, inks }) => [id, hex, cmyk, inks])
  assert.deepEqual(seen, [
    ['ink', '#111111', '0,0,0,90', { HKS: '97 K' }],
    ['sea', '#003344', undefined, undefined],
    ['fire', '#ff6a13', undefined, undefined],
    ['sea-2', '#001122', undefined, undefined],
  ])
  const why = 'taken from the table on line 7, which stays on the page'
  assert.deepEqual(values.notes.guessed, [
    { path: 'colour.md', key: 'color', value: 'Ink: hex #111111; cmyk 0 0 0 90; inks {"HKS":"97 K"}', why },
    { path: 'colour.md', key: 'color', value: 'Fire: hex #ff6a13', why },
    { path: 'colour.md', key: 'color', value: 'Sea: hex #001122', why },
    {
      path: 'colour.md',
      key: 'Sea (sea-2)',
      value: 'rgb "0,17,34" beside "0,51,68"; hex "#001122" beside "#003344"',
      why: 'has the same id as a style with other values; it gets a number',
    },
  ])
})

test('style sheets inside pages are read once, as a part of their page', async () => {
  const pages = ['a.html', 'b.html', 'c.html'].map((path, at) => ({
    entry: { path, label: '', size: 1, read: async () => Buffer.from(''), copyTo: async () => undefined },
    page: { sheet: at < 2 ? '\n:root { --ink: #123; --veil: #12345680 }' : '' },
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
      what: 'colours that only name another one, of 251: choose groups with --tokens GROUP',
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

const ROLES =
  ':root { --border-soft: #ccc; --md-primary: #123456; --font-serif--fallback: Georgia, serif; --text-gap: 2px }'

test('what a sheet says of the parts of a website is guessed, and lost beside a palette', async () => {
  const alone = await adopted({ 'site.css': ROLES })
  assert.deepEqual(summaryOf(alone).colors, ['border soft #cccccc', 'md primary #123456'])
  const guessed = alone.notes.guessed.map(({ value }) => value)
  assert.deepEqual(guessed, [
    'border soft: hex #cccccc',
    'md primary: hex #123456',
    'serif fallback: family Georgia; fallback ["serif"]',
  ])
  const beside = await adopted({ 'site.css': ROLES }, { tables: [TABLE] })
  assert.deepEqual(summaryOf(beside).colors, ['Ink #111111', 'Fire #ff6a13', 'Sea #001122'])
  assert.deepEqual([beside.styles.types, summaryOf(beside).leftOut], [[], ['site.css: a variable of the theme of a w']])
  const lost = beside.notes.lost.filter(({ what }) => what === 'a variable of the theme of a website')
  assert.equal(lost.length, 3)
})

test('of sets in an order the last value counts, in one file, over several, and for references', async () => {
  const color = (name: string, value: string) => ({ [name]: { value, type: 'color' } })
  const sets = {
    core: { brand: { ...color('primary', '#0b4f6c'), ...color('ink', '#111') } },
    theme: { brand: color('primary', '#ff6f59') },
    semantic: color('link', '{brand.primary}'),
  }
  const tokenSetOrder = Object.keys(sets)
  const files = Object.fromEntries(Object.entries(sets).map(([name, set]) => [`t/${name}.json`, set]))
  const sources = { source: ['t/core.json', 't/theme.json', 't/sem*.json'], platforms: {} }
  for (const source of [
    { 'single.json': { ...sets, $metadata: { tokenSetOrder } } },
    { ...files, 't/$metadata.json': { tokenSetOrder } },
    { ...files, 'config.json': sources },
  ]) {
    const { styles, notes } = await adopted(source)
    const found = styles.colors.map(({ name, hex }) => `${name} ${hex}`).sort()
    assert.deepEqual(found, ['ink #111111', 'link #ff6f59', 'primary #ff6f59'])
    const lost = notes.lost.filter(({ what }) => what.startsWith('a later set')).map(({ text }) => text)
    assert.deepEqual(lost, ['brand.primary: #0b4f6c'])
  }
  const $themes = ['core', 'theme'].map(name => ({ selectedTokenSets: { [name]: 'enabled', semantic: 'source' } }))
  const apart = await adopted({ 'single.json': { ...sets, $themes, $metadata: { tokenSetOrder } } })
  assert.equal(apart.styles.colors.length, 4)
})

const RECORD = "{ label: 'Reed', hex: '#3A7F5C', cmyk: [54, 0, 28, 50], pantone: '7734 C', uses: ['web'] }"

test('records with a name and a value are colours with their print values, as data of any form', async () => {
  const front =
    'kelp:\n  colours:\n  - { name: Reed, hex: 3A7F5C, PMS: 7734 C, CMYK: C 54 M 0 Y 28 K 50 R 58 G 127 B 92 }\n'
  const reed = { name: 'Reed', hex: '#3a7f5c', cmyk: '54,0,28,50', pms: '7734 C' }
  for (const [path, text] of [
    ['_data/colours.js', `export default function () { return [${RECORD}] }`],
    ['lib/palette.mjs', `export const palette = [${RECORD}]`],
    ['data/brand.cjs', `module.exports = { colours: [${RECORD}], run: () => process.exit() }`],
    ['_data/site.yml', `colours: [${RECORD}]`],
    ['data/colors.toml', '[[colors]]\nname = "Reed"\nhex = "#3a7f5c"\ncmyk = [54, 0, 28, 50]\npms = "7734 C"'],
    ['docs/a.md', `---\ntitle: Colours\ncolor: '#123456'\n${front}---\n# Colours\n`],
  ] as const) {
    const { styles, notes } = await adopted({ [path]: text })
    const found = styles.colors.map(({ name, hex, cmyk, pms }) => ({ name, hex, cmyk, pms }))
    assert.deepEqual(found, [reed], path)
    const others = notes.lost.filter(({ what, text: lost }) => !/uses|column/.test(what + lost))
    assert.deepEqual(others, [], path)
  }
  const { styles } = await adopted({ 'a.md': "---\ntheme_color: '#123456'\n---\n", 'colors.js': 'const a = <a/>' })
  assert.deepEqual(styles.colors, [])
})

test('a file may have styles by its path', () => {
  const entry = (path: string): Entry => ({
    path,
    size: 1,
    label: '',
    read: async () => Buffer.alloc(0),
    copyTo: async () => undefined,
  })
  const paths = ['tokens.json', '_brand.yml', 'DESIGN.md', 'a.scss', 'tokens/a.yaml', 'a.tokens', 'a.acb', 'mkdocs.yml']
  const kept = paths.filter(path => mayHaveStyles(entry(path)))
  assert.deepEqual(kept, paths.slice(0, 7))
})

test('a palette in a format that is not read is lost, and stays a file', async () => {
  const files = { 'a.acb': '8BCB\u0001', 'b.soc': '<ooo:color-table/>', 'c.sketchpalette': { colors: [{ red: 0.1 }] } }
  const { notes, merged, leftOut } = await adopted(files)
  const seen = notes.lost.map(({ path, what }) => `${path}: ${what}`)
  const expected = Object.keys(files).map(path => `${path}: a file without known styles`)
  assert.deepEqual(seen, expected)
  assert.deepEqual([merged, [...leftOut.values()].filter(Boolean)], [[], []])
})
