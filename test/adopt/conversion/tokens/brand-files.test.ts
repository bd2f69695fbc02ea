import assert from 'node:assert/strict'
import test from 'node:test'
import { readSources } from '#adopt/conversion/source.ts'
import { noteLines } from '#brand/tokens/found-styles.ts'
import { convertedFiles, namesAndHexes } from '#test/support/converted.ts'

test('a _brand.yml gives its palette, the colours of its theme and its type', () => {
  const text = `meta:
  name: Quay
color:
  palette:
    blue: "#447099"
    sea: blue
  primary: blue
  secondary: primary
  background:
    light: "#fff"
    dark: "#111"
typography:
  fonts:
    - family: Open Sans
      source: google
  base: Open Sans
  headings: { family: Rubik, weight: light, line-height: 1.2, size: 2rem, color: blue }
`
  const styles = convertedFiles([['_brand.yml', text]])
  assert.deepEqual(namesAndHexes(styles), [
    'blue #447099',
    'sea #447099',
    'primary #447099',
    'secondary #447099',
    'background #ffffff',
  ])
  const seen = styles.types.map(({ name, family, weight, size, leading }) => [name, family, weight, size, leading])
  assert.deepEqual(seen, [
    ['base', 'Open Sans', undefined, undefined, undefined],
    ['headings', 'Rubik', 300, 32, 1.2],
  ])
  assert.deepEqual(styles.notes, [
    '"meta", "fonts": is not read; left out',
    '"theme.background": a value for dark; left out',
    '"typography.headings": type styles do not support "color"; left out',
    '"typography.headings": "fontSize" is in rem; converted to px at 16 per rem',
  ])
})

test('a DESIGN.md gives the colours and type styles of its front matter', () => {
  const text = `---
name: Quay
colors: { primary: "#003da5", link: "{colors.primary}" }
typography: { body-md: { fontFamily: Inter, fontSize: 16px, lineHeight: 24px } }
spacing: { unit: 8px }
---

# Quay
`
  const styles = convertedFiles([['docs/DESIGN.md', text]])
  assert.deepEqual(namesAndHexes(styles), ['primary #003da5', 'link #003da5'])
  const seen = styles.types.map(({ name, family, leading }) => [name, family, leading])
  assert.deepEqual(seen, [['body-md', 'Inter', 1.5]])
})

test('a brand.json of the Ad Context Protocol gives colours and families, and one of another format its colours', () => {
  const schema = { $schema: 'https://adcontextprotocol.org/schemas/v3/brand.json' }
  const brand = (id: string, primary: string) => ({ id, names: [{ en: id }], colors: { primary } })
  const own = {
    ...schema,
    ...brand('quay', '#003da5'),
    tagline: 'Out',
    fonts: { primary: 'Inter', second: { family: 'Arvo' } },
  }
  const one = convertedFiles([
    ['brand.json', { ...own, colors: { primary: '#003da5', accent: ['#ff6a13', '#e6f0fa'], background: '#fff' } }],
  ])
  assert.deepEqual(namesAndHexes(one), [
    'primary #003da5',
    'accent 1 #ff6a13',
    'accent 2 #e6f0fa',
    'background #ffffff',
  ])
  const seen = one.types.map(({ name, family }) => [name, family])
  assert.deepEqual(seen, [
    ['primary', 'Inter'],
    ['second', 'Arvo'],
  ])
  assert.deepEqual(one.notes, [
    '"id", "names", "tagline": is not read; left out',
    '"second": files of a font are not read; left out',
  ])
  const house = { house: { name: 'Quays' }, brands: [brand('north', '#003da5'), brand('south', '#7a1f1f')] }
  assert.deepEqual(namesAndHexes(convertedFiles([['brand.json', house]])), [
    'north primary #003da5',
    'south primary #7a1f1f',
  ])
  const other = JSON.stringify({ meta: { name: 'Quay' }, colors: { primary: '#003da5' }, fonts: { body: 'Inter' } })
  const [read] = readSources([{ path: 'brand.json', bytes: new TextEncoder().encode(other) }])
  assert.deepEqual(read?.ok && read.value.colors.map(({ name, fields }) => `${name} ${fields.get('hex')}`), [
    'primary #003da5',
  ])
})

test('tokens as JSON5 and damaged YAML are named with what to do, and other YAML is unknown', () => {
  const reads = (
    [
      ['a.json5', '{a: 1}'],
      ['brand.yml', 'title: Quay\n'],
      ['_brand.yml', 'a: [\n'],
    ] as const
  ).map(([path, text]) => readSources([{ path, bytes: new TextEncoder().encode(text) }])[0])
  const said = reads.map(read => (!read || read.ok ? '' : `${read.problem.kind}: ${read.problem.message.slice(0, 34)}`))
  assert.deepEqual(said, [
    'damaged: is JSON5; write it as JSON, and tr',
    'unknown: has no colours or type styles that',
    'damaged: is not YAML that can be read: a [ ',
  ])
})

for (const [what, path, text] of [
  ['a list in YAML', '_data/palette.yml', '- name: sea\n  hex: "003da5"\n  cmyk: 100 68 0 12\n'],
  ['a list in JSON', 'site.json', '{"colors": [{"hex": "#003da5", "name": "sea", "cmyk": "100 68 0 12"}]}'],
  [
    'channels as numbers',
    'tokens.json',
    '{"sea": {"hex": "#003da5", "rgb": [0, 61, 165], "cmyk": {"c": 100, "m": 68, "y": 0, "k": 12}}}',
  ],
  ['objects by name', 'colours.json', '{"brand": {"sea": {"hex": "#003da5", "cmyk": "100 68 0 12"}}}'],
] as const)
  test(`colours in data are read as a table: ${what}`, () => {
    const [read] = readSources([{ path, bytes: new TextEncoder().encode(text) }])
    const colors = read?.ok ? read.value.colors : []
    const seen = colors.map(({ name, fields }) => [
      name,
      String(fields.get('hex')).replace('#', ''),
      String(fields.get('cmyk')).replaceAll(',', ''),
    ])
    assert.deepEqual(seen, [['sea', '003da5', '100 68 0 12']])
  })

test('in data, colours for dark beside those for light are noted, and groups of several are read one by one', () => {
  const colors = { red: { ink: '#110000', edge: '#aa0000' }, page: '#fff' }
  const data = { colors, dark: { page: '#000' }, version: 1 }
  const [read] = readSources([{ path: 'colors.json', bytes: new TextEncoder().encode(JSON.stringify(data)) }])
  assert.deepEqual(read?.ok && read.value.colors.map(({ name, fields }) => `${name} ${fields.get('group')}`), [
    'page undefined',
    'ink red',
    'edge red',
  ])
  assert.deepEqual(read?.ok && noteLines(read.value.notes), [
    '"version": is not read; left out',
    '"dark.page": a value for dark; left out',
  ])
})

test('tokens as YAML are read like those in JSON, and data without a name of colours has none', () => {
  const yaml = 'color:\n  blue:\n    $value: "#003da5"\n  link:\n    $value: "{color.blue}"\n'
  const reads = readSources(
    [
      ['tokens/color.yaml', yaml],
      ['labels.json', '[{"name": "bug", "hex": "#d73a4a"}]'],
    ].map(([path = '', text]) => ({ path, bytes: new TextEncoder().encode(text) })),
  )
  const seen = reads.map(read => (read.ok ? read.value.colors.map(({ name }) => name) : read.problem.kind))
  assert.deepEqual(seen, [['blue', 'link'], 'empty'])
})

for (const [what, path, data, colors] of [
  [
    'shades',
    'tw.json',
    { colors: { blue: { 50: '#e6f0f4', 500: '#0b4f6c' }, red: { 50: '#fff0ee' }, white: '#fff' } },
    4,
  ],
  ['shades without a name around them', 'colors.json', { blue: { 500: '#0b4f6c' }, red: { 500: '#ff6f59' } }, 2],
  [
    'shades in YAML',
    'c.yaml',
    'colors:\n  blue:\n    500: "#0b4f6c"\n    50: "#e6f0f4"\n  red: { 500: "#ff6f59" }\n',
    3,
  ],
] as const)
  test(`all colours of a palette are read: ${what}`, () => {
    const styles = convertedFiles([[path, data]])
    assert.equal(styles.colors.length, colors)
    assert.deepEqual(styles.notes, [])
    assert.ok(styles.colors.some(({ name, hex, group }) => [name, hex, group].join() === 'blue 500,#0b4f6c,blue'))
  })

test('colours of a palette are named by their path where its end is shared or unclear, and notes have the whole path', () => {
  const styles = convertedFiles([
    [
      'theme.json',
      {
        palette: {
          primary: { main: '#0b4f6c', DEFAULT: 'hsl(200 50% 90%)', note: 'soft' },
          secondary: { main: '#ff6f59', link: '{palette.primary.main}' },
          sand: { r: 244, g: 233, b: 205 },
          fog: { hex: '#eeeeee', hks: 'n/a' },
        },
        version: 3,
      },
    ],
  ])
  assert.deepEqual(namesAndHexes(styles), [
    'sand #f4e9cd',
    'fog #eeeeee',
    'primary main #0b4f6c',
    'primary DEFAULT #d9eaf2',
    'secondary main #ff6f59',
    'link #0b4f6c',
  ])
  assert.deepEqual(styles.notes, [
    '"palette.primary.note", "version": is not read; left out',
    '"fog": "hks" of "inks" is "n/a", which is no value; remove it; left out',
  ])
})

test('collections with modes, as plugins of Figma write them, give their light values, and the others are noted', () => {
  const variables = (value: string) => [
    { name: 'blue/500', type: 'color', value },
    { name: 'text/link', type: 'color', value: { name: 'blue/500' } },
  ]
  const modes = [
    { name: 'Light', variables: variables('#0B4F6C') },
    { name: 'Dark', variables: variables('#FF6F59') },
  ]
  const styles = convertedFiles([['brand.json', { collections: [{ name: 'Brand', modes }] }]])
  assert.deepEqual(namesAndHexes(styles), ['blue/500 #0b4f6c'])
  assert.ok(styles.notes.includes('"collections.Brand.modes.Dark.variables.blue/500": a value for dark; left out'))
  assert.ok(styles.notes.some(note => note.includes('"collections.Brand.modes.Light.variables.text/link"')))
})

test('numbers in YAML are those of JSON, and the colours of a DESIGN.md may be in groups', () => {
  const token = 'sea:\n  $type: color\n  $value: { colorSpace: srgb, components: [0.0431, 0.3098, 0.4235], alpha: 1 }\n'
  const design = '---\ncolors: { blue: { 500: "#0b4f6c" } }\ntypography: { body: { fontFamily: Inter } }\n---\n'
  const styles = convertedFiles([
    ['tokens.yaml', token],
    ['DESIGN.md', design],
  ])
  assert.deepEqual(namesAndHexes(styles), ['sea #0b4f6c', 'blue 500 #0b4f6c'])
})
