import assert from 'node:assert/strict'
import test from 'node:test'
import { FOLDERS_KEY } from '#intake/schema/files.ts'
import { FOLDERS, type Format, type FormValues } from '#people/editor/formats/field.ts'
import { yamlFormat } from '#people/editor/formats/yaml-format.ts'
import { COLOR_FIELDS, FILE_FIELDS, PROJECT_FIELDS } from './editor-fields.ts'
import { changeEntries, entriesOf, save } from './forms.ts'

const colors = yamlFormat(COLOR_FIELDS)
const files = yamlFormat(FILE_FIELDS)
const project = yamlFormat(PROJECT_FIELDS)

/** A case: the file, the change of its first entry or of its form, and the file after it. */
type Case = readonly [before: string, change: FormValues, after: string]

function check(
  format: Format,
  cases: readonly Case[],
  change: (given: FormValues) => (form: FormValues) => FormValues,
) {
  for (const [before, given, after] of cases) {
    const saved = save(format, before, change(given))
    assert.equal(saved, after, before)
    const seen = save(format, saved, form => form)
    assert.equal(seen, saved, `saved again: ${before}`)
    if (!before.includes('\n')) continue
    const other = before.replaceAll('\n', '\r\n')
    assert.equal(save(format, other, change(given)), after.replaceAll('\n', '\r\n'), `with CRLF: ${before}`)
    assert.equal(save(format, `\uFEFF${before}`, change(given)), `\uFEFF${after}`, `with a byte order mark: ${before}`)
  }
}

const first = (given: FormValues) => changeEntries(([entry, ...rest]) => [{ ...entry, ...given }, ...rest])
const form = (given: FormValues) => (values: FormValues) => ({ ...values, ...given })

test('a form shows scalars as they are written, lists with commas and colours in one form', () => {
  const text = [
    '- name: 2024',
    '  id: "0123"',
    '  hex: FC0',
    '  rgb: [29, 112,',
    '    184]',
    '  ral: 5015',
    '  use: |',
    '    One',
    '    two',
    '  on: [paper, sand]',
    '  features: {tnum: 1, "ss 01": 0}',
    '  dark: true',
    '  other: kept',
    '- hex: "#A1b2C3"',
    '  on: paper, sand',
    '  use: >-',
    '    One',
    '    two',
    '- hex: red',
    '  use: null',
    '  id: {a: b}',
    '  on: [[a]]',
    '  theme: none',
    '',
  ].join('\n')
  assert.deepEqual(entriesOf(colors.fromFile(text)), [
    {
      at: '0',
      name: '2024',
      id: '0123',
      hex: '#ffcc00',
      rgb: '29, 112, 184',
      ral: '5015',
      use: 'One\ntwo',
      on: ['paper', 'sand'],
      features: { tnum: '1', 'ss 01': '0' },
      dark: true,
    },
    { at: '1', hex: '#a1b2c3', on: ['paper', 'sand'], use: 'One two' },
    { at: '2', hex: 'red' },
  ])
})

test('a form of files.yaml has its files and its folders, each with its path', () => {
  const text = 'a.svg: A picture\nfolders:\n  logo: {title: Logo}\nb.svg:\n  title: B\nc.svg:\n'
  assert.deepEqual(files.fromFile(text), {
    items: [
      { path: 'a.svg', description: 'A picture', at: '0' },
      { path: 'b.svg', title: 'B', at: '2' },
      { path: 'c.svg', at: '3' },
    ],
    folders: [{ path: 'logo', title: 'Logo', at: '0' }],
    source: JSON.stringify(text),
  })
  assert.equal(FOLDERS, FOLDERS_KEY)
})

test('a changed value keeps its style, its comment and everything else', () => {
  const cases: Case[] = [
    ['- name: Ink # c\n  id: x\n', { name: 'Red' }, '- name: Red # c\n  id: x\n'],
    ["- name: 'Ink'\n", { name: "It's" }, "- name: 'It''s'\n"],
    ['- name: "Ink"\n', { name: 'Red' }, '- name: "Red"\n'],
    ['- name: Ink\n', { name: 'a: b' }, '- name: "a: b"\n'],
    ['- name: Ink\n', { name: 'true' }, '- name: "true"\n'],
    ['- name: Ink\n', { name: '2025' }, '- name: 2025\n'],
    ['- {name: Ink, id: x}\n', { name: 'a, b' }, '- {name: "a, b", id: x}\n'],
    ['- {"name":"Ink"}\n', { name: 'Red' }, '- {"name":"Red"}\n'],
    ['- hex: fc0 # c\n', { hex: '#FFCC00' }, '- hex: fc0 # c\n'],
    ['- hex: fc0 # c\n', { hex: '#FFCC01' }, '- hex: "#FFCC01" # c\n'],
    ["- hex: '#fc0'\n", { hex: '#fc1' }, "- hex: '#fc1'\n"],
    ['- hex: red\n', { hex: '#ff0000' }, '- hex: "#ff0000"\n'],
    ['- use: >- # c\n      One\n      two\n\n  id: x\n', { use: 'Three' }, '- use: >- # c\n    Three\n\n  id: x\n'],
    ['- use: >\n    One\n    two\n', { use: 'a\nb' }, '- use: >\n    a\n\n    b\n'],
    ['- use: |+\n    One\n\n\n  id: x\n', { use: 'a\n\n  b' }, '- use: |+\n    a\n\n      b\n\n\n  id: x\n'],
    ['- use: |2\n    One\n', { use: 'Two' }, '- use: |\n    Two\n'],
    ['- use: One # c\n  id: x\n', { use: 'a\nb' }, '- use: |- # c\n    a\n    b\n  id: x\n'],
    ['- use: "One"\n', { use: 'a\nb' }, '- use: "a\\nb"\n'],
    ['- use: One\n    more # c\n  id: x\n', { use: 'Two' }, '- use: Two # c\n  id: x\n'],
    ['- use: # c\n    One\n', { use: 'Two' }, '- use: # c\n    Two\n'],
    ['- proportion: 1\n', { proportion: 2 }, '- proportion: 2\n'],
    ['- use: # later\n  id: x\n', { use: 'Two' }, '- use: Two # later\n  id: x\n'],
    ['- use: null\n', { use: 'Two' }, '- use: Two\n'],
    ['- id: {a: b}\n  name: x\n', { id: 'Two' }, '- id: Two\n  name: x\n'],
    ['- id:\n    a: b\n  name: x\n', { id: 'Two' }, '- id: Two\n  name: x\n'],
  ]
  check(colors, cases, first)
})

test('a changed list keeps its style, and only its changed entries change', () => {
  const cases: Case[] = [
    ['- rgb: [ 1,2 , "3" ] # c\n', { rgb: '1,2,4' }, '- rgb: [ 1,2 , "4" ] # c\n'],
    [
      '- rgb:\n    - 1 # one\n    - 2\n    - 3\n  id: x\n',
      { rgb: '1, 5, 3' },
      '- rgb:\n    - 1 # one\n    - 5\n    - 3\n  id: x\n',
    ],
    ['- on: [a, b, c]\n', { on: ['a', 'c'] }, '- on: [a, c]\n'],
    ['- on: [a]\n', { on: ['a', 'b, c'] }, '- on: [a, "b, c"]\n'],
    ['- on: []\n', { on: ['a', 'b'] }, '- on: [a, b]\n'],
    ['- on: [\n    a, # one\n    b,\n  ]\n', { on: ['a', 'c'] }, '- on: [\n    a, # one\n    c,\n  ]\n'],
    [
      '- on: [\n    a, # one\n    b, # two\n    c,\n  ]\n  id: x # x\n',
      { on: ['a', 'c'] },
      '- on:\n    [\n      a, # one\n      c\n    ]\n  id: x # x\n',
    ],
    ['- on: [\n    a,\n    b\n  ]\n', { on: ['a', 'b', 'c'] }, '- on: [a, b, c]\n'],
    ['- {name: Ink, on: [a, b]}\n', { on: ['a', 'b', 'c'] }, '- {name: Ink, on: [a, b, c]}\n'],
    ['- on:\n  - a\n  - b # two\n', { on: ['b', 'a', 'c'] }, '- on:\n  - b # two\n  - a\n  - c\n'],
    ['- on: a # c\n', { on: ['a', 'b'] }, '- on: a, b # c\n'],
    ['- on: a\n', { on: ['a', 'b, c'] }, '- on: [a, "b, c"]\n'],
    ['- id: x\n', { on: ['a', 'b'] }, '- id: x\n  on: [a, b]\n'],
    ['- on: [a, b]\n  id: x\n', { on: [] }, '- id: x\n'],
    ['- features: {tnum: 1, lnum: 0}\n', { features: { lnum: '1' } }, '- features: {lnum: 1}\n'],
    [
      '- features:\n    tnum: 1 # c\n',
      { features: { tnum: '1', onum: '2' } },
      '- features:\n    tnum: 1 # c\n    onum: 2\n',
    ],
    ['- features: {0: a, 1: b}\n', { features: ['a', 'c'] }, '- features: {0: a, 1: c}\n'],
    ['- features: {tnum, lnum: 1}\n', { features: { tnum: '1', lnum: '1' } }, '- features: {tnum: 1, lnum: 1}\n'],
  ]
  check(colors, cases, first)
})

test('a removed key takes its lines and the comment above it with it, and a new key comes last', () => {
  const cases: Case[] = [
    ['- name: Ink # c\n  id: x\n  use: y\n', { name: '' }, '- id: x\n  use: y\n'],
    ['- name: Ink\n  id: x # c\n  use: y\n', { id: '' }, '- name: Ink\n  use: y\n'],
    ['- name: Ink\n  id: x # c', { id: undefined }, '- name: Ink'],
    ['- name: Ink\n  # about x\n  id: x\n  use: y\n', { id: null }, '- name: Ink\n  use: y\n'],
    ['- name: Ink\n  # about x\n  id: x\n', { name: '' }, '- # about x\n  id: x\n'],
    ['- name: Ink\n', { name: '' }, '- {}\n'],
    ['- {name: Ink, id: x}\n', { name: '' }, '- {id: x}\n'],
    ['- {name: Ink}\n', { id: 'x' }, '- {name: Ink, id: x}\n'],
    ['- {}\n', { name: 'Ink', id: 'x' }, '- name: Ink\n  id: x\n'],
    ['- name: Ink # c\n  other: [1]\n\n# end\n', { id: 'x' }, '- name: Ink # c\n  other: [1]\n  id: x\n\n# end\n'],
    ['-   name: Ink', { id: 'x' }, '-   name: Ink\n    id: x'],
    [
      '- name: Ink\n  use: |\n    One\n\n- id: x\n',
      { dark: true },
      '- name: Ink\n  use: |\n    One\n  dark: true\n\n- id: x\n',
    ],
    ['- name: Ink\n', { use: 'a\nb' }, '- name: Ink\n  use: |-\n    a\n    b\n'],
    ['- name: Ink\n', { theme: { accent: '#fff', logo: '' } }, '- name: Ink\n  theme:\n    accent: "#fff"\n'],
    ['- {name: Ink}\n', { theme: { ground: 'a' } }, '- {name: Ink, theme: {ground: a}}\n'],
    ['- name: Ink\n  theme: none # c\n', { theme: { ground: 'a' } }, '- name: Ink\n  theme:\n    ground: a\n    # c\n'],
    ['- name: Ink\n  theme: none\n', { theme: { ground: '' } }, '- name: Ink\n  theme: none\n'],
    ['- theme:\n    ground: a\n  id: x\n', { theme: { ground: '' } }, '- id: x\n'],
    ['- theme:\n    ground: a\n    more: b\n  id: x\n', { theme: null }, '- theme:\n    more: b\n  id: x\n'],
    ['- theme:\n    # logo: a\n  id: x\n', { theme: { logo: 'b' } }, '- theme:\n    logo: b\n    # logo: a\n  id: x\n'],
    ['- name: a\n  features: {tnum: 1}\n', { features: {} }, '- name: a\n'],
    ['- name: a\n\n- name: b\n- name: c\n', { name: '' }, '- {}\n\n- name: b\n- name: c\n'],
  ]
  check(colors, cases, first)
})

test('a new mapping is indented like others of its file', () => {
  const theme = { ground: 'a' }
  const cases: Case[] = [
    ['  - name: a\n    id: x\n', { theme }, '  - name: a\n    id: x\n    theme:\n      ground: a\n'],
    ['- id: x\n  rgb:\n  use: y\n', { theme }, '- id: x\n  rgb:\n  use: y\n  theme:\n    ground: a\n'],
    [
      '- name: a\n- theme:\n      ground: b\n',
      { theme },
      '- name: a\n  theme:\n      ground: a\n- theme:\n      ground: b\n',
    ],
  ]
  check(colors, cases, first)
  const footer = 'footer:\n  - name: X\n    url: a\n'
  assert.equal(save(project, footer, form({ theme })), `${footer}theme:\n  ground: a\n`)
})

test('entries are recognised by their place, and comments above them move along', () => {
  const text = '# head\n- name: A\n# about B\n- name: B # b\n  # more: B\n\n# section\n\n- name: C'
  const cases: [change: (entries: FormValues[]) => FormValues[], after: string][] = [
    [
      ([a, b, c]) => [{ ...b }, { ...c }, { ...a }],
      '# head\n# about B\n- name: B # b\n  # more: B\n- name: C\n\n# section\n\n- name: A',
    ],
    [([a, , c]) => [{ ...a }, { ...c }], '# head\n- name: A\n\n# section\n\n- name: C'],
    [([, b, c]) => [{ ...b }, { ...c }], '# head\n# about B\n- name: B # b\n  # more: B\n\n# section\n\n- name: C'],
    [([a, b]) => [{ ...a }, { ...b }], '# head\n- name: A\n# about B\n- name: B # b\n  # more: B\n\n# section'],
    [([a, b, c]) => [{ ...a }, { ...b }, { ...c }, { name: 'D', at: '' }], `${text}\n- name: D`],
    [
      ([a, b, c]) => [{ name: 'D' }, { ...a }, { ...b }, { ...c }],
      '# head\n- name: D\n- name: A\n# about B\n- name: B # b\n  # more: B\n\n# section\n\n- name: C',
    ],
    [
      ([a, b, c]) => [{ ...a }, { ...b }, { name: 'D', at: '7' }, { ...c, id: 'x' }],
      '# head\n- name: A\n# about B\n- name: B # b\n  # more: B\n- name: D\n\n# section\n\n- name: C\n  id: x',
    ],
    [([a]) => [{ ...a, name: 'Z' }, { name: '' }], '# head\n- name: Z\n\n# section'],
    [() => [], '# head\n[]\n\n# section'],
  ]
  for (const [change, after] of cases) {
    assert.equal(save(colors, text, changeEntries(change)), after)
    assert.equal(save(colors, text.replaceAll('\n', '\r\n'), changeEntries(change)), after.replaceAll('\n', '\r\n'))
  }
})

type Moved = readonly [before: string, change: (entries: FormValues[]) => FormValues[], after: string]

function checkMoved(cases: readonly Moved[]) {
  for (const [before, change, after] of cases) assert.equal(save(colors, before, changeEntries(change)), after, before)
}

test('a removed entry takes a blank line with it, and a new entry has one if the others have', () => {
  const text = '- name: A\n\n- name: B\n\n- name: C\n'
  const withoutMiddle: Moved[1] = ([a, , c]) => [{ ...a }, { ...c }]
  checkMoved([
    [text, ([, ...rest]) => rest, '- name: B\n\n- name: C\n'],
    [text, ([a, b]) => [{ ...a }, { ...b }], '- name: A\n\n- name: B\n'],
    [text, entries => [...entries, { name: 'D' }], `${text}\n- name: D\n`],
    ['- name: A\n- name: B\n\n- name: C\n', withoutMiddle, '- name: A\n\n- name: C\n'],
    ['- name: A\n\n- name: B\n- name: C\n', withoutMiddle, '- name: A\n\n- name: C\n'],
  ])
})

test('entries in brackets move, on one line', () => {
  const text = '[{name: A}, {name: B},\n {name: C}] # c\n'
  checkMoved([
    [text, ([a, b, c]) => [{ ...c }, { ...a }, { ...b }], '[{name: C}, {name: A}, {name: B}] # c\n'],
    [text, ([, b]) => [{ ...b }, { name: 'D' }], '[{name: B}, {name: D}] # c\n'],
    [text, () => [], '[] # c\n'],
  ])
})

test('an entry that the form cannot show stays at its place', () => {
  const text = '- just text\n- name: A\n- [x]\n- name: B\n'
  checkMoved([
    [text, ([a, b]) => [{ ...b }, { ...a }], '- just text\n- name: B\n- [x]\n- name: A\n'],
    [text, () => [], '- just text\n- [x]\n'],
  ])
})

test('a file without entries and a new file are written in block style', () => {
  const items = [{ name: 'A', hex: '#fff' }, { name: 'B' }]
  const cases = [
    ['', '- name: A\n  hex: "#fff"\n- name: B\n'],
    ['[]\n', '- name: A\n  hex: "#fff"\n- name: B\n'],
    ['# head', '# head\n- name: A\n  hex: "#fff"\n- name: B'],
    ['# head\n\n', '# head\n\n- name: A\n  hex: "#fff"\n- name: B\n'],
    ['---\n', '---\n- name: A\n  hex: "#fff"\n- name: B\n'],
  ] as const
  for (const [before, after] of cases) assert.equal(save(colors, before, form({ items })), after, before)
  assert.equal(colors.toFile({ items }), cases[0][1])
  assert.equal(colors.toFile({ items: [], source: '' }), '')
  assert.equal(
    files.toFile({ items: [{ path: 'a b.svg', title: 'A' }, { path: 'c' }], folders: [{ path: 'logo', title: 'L' }] }),
    'a b.svg:\n  title: A\nc: {}\nfolders:\n  logo:\n    title: L\n',
  )
  const seen = project.toFile({ name: 'A', theme: { accent: '#fff' }, footer: [{ name: 'B', url: 'c' }], pages: ['x'] })
  assert.equal(seen, 'name: A\npages: [x]\ntheme:\n  accent: "#fff"\nfooter:\n  - name: B\n    url: c\n')
  assert.equal(save(project, '{}\n', form({ name: 'A' })), 'name: A\n')
})

test('patterns and folders as keys of files.yaml keep their notation', () => {
  const text = '"*.svg": { title: A }\nlogos/white/: { ground: ink } # c\n'
  const changed = text.replace('title: A', 'title: B')
  assert.equal(save(files, text, first({ title: 'B' })), changed)
  assert.equal(save(files, 'a.svg: A\n', first({ path: '*.svg' })), '"*.svg": A\n')
})

test('keyed entries keep their value when their key changes', () => {
  const text =
    '# head\na.svg: A picture # c\n"b.svg":\n  title: B\n  other: x\nfolders:\n  logo: {title: Logo}\nc.svg: {title: C}\n'
  const cases: [change: (form: FormValues) => FormValues, before: string, after: string][] = [
    [first({ path: 'new: a.svg' }), 'a.svg: A', '"new: a.svg": A'],
    [first({ path: 'new.svg', description: 'Other' }), 'a.svg: A picture # c', 'new.svg: Other # c'],
    [first({ title: 'A' }), 'a.svg: A picture # c', 'a.svg:\n  description: A picture # c\n  title: A'],
    [first({ title: 'A', description: '' }), 'a.svg: A picture # c', 'a.svg:\n  title: A\n  # c'],
    [
      changeEntries(([a, b, c]) => [{ ...a }, { ...b, title: '' }, { ...c, title: '' }]),
      '  title: B\n  other: x\nfolders:\n  logo: {title: Logo}\nc.svg: {title: C}',
      '  other: x\nfolders:\n  logo: {title: Logo}\nc.svg: {}',
    ],
    [first({ description: '' }), 'a.svg: A picture # c', 'a.svg:\n  {}\n  # c'],
    [
      changeEntries(([a, b, c]) => [{ ...a }, { ...b, path: 'd' }, { ...c, medium: ['print'] }]),
      '"b.svg":\n  title: B\n  other: x\nfolders:\n  logo: {title: Logo}\nc.svg: {title: C}',
      '"d":\n  title: B\n  other: x\nfolders:\n  logo: {title: Logo}\nc.svg: {title: C, medium: [print]}',
    ],
    [
      changeEntries(([a, b, c]) => [{ ...c }, { ...b }, { ...a }]),
      text.slice(7),
      'c.svg: {title: C}\n"b.svg":\n  title: B\n  other: x\nfolders:\n  logo: {title: Logo}\na.svg: A picture # c\n',
    ],
    [
      changeEntries(([a, , c]) => [{ ...a }, { path: 'n', title: 'N' }, { ...c }]),
      '"b.svg":\n  title: B\n  other: x\n',
      'n:\n  title: N\n',
    ],
    [changeEntries(() => [], 'folders'), 'folders:\n  logo: {title: Logo}\n', ''],
    [
      changeEntries(
        ([logo]) => [
          { ...logo, path: 'brand' },
          { path: 'x', order: '1' },
        ],
        'folders',
      ),
      '  logo: {title: Logo}\n',
      '  brand: {title: Logo}\n  x:\n    order: 1\n',
    ],
    [form({ items: [], folders: [] }), text.slice(7), '{}\n'],
  ]
  for (const [change, before, after] of cases) {
    const expected = text.replace(before, () => after)
    assert.equal(save(files, text, change), expected)
  }
})

test('an object of a list in a mapping is edited in its place', () => {
  const text =
    'name: A\nfooter:\n- name: X # x\n  url: a\n# about Y\n- name: Y\n  url: b\ntheme: {accent: "#fff", extra: 1} # t\n'
  const cases: [change: (form: FormValues) => FormValues, after: string][] = [
    [
      changeEntries(([x, y]) => [{ ...y }, { ...x }], 'footer'),
      'name: A\nfooter:\n# about Y\n- name: Y\n  url: b\n- name: X # x\n  url: a\ntheme: {accent: "#fff", extra: 1} # t\n',
    ],
    [
      changeEntries(([x]) => [{ ...x, url: 'c' }, { name: 'Z' }], 'footer'),
      'name: A\nfooter:\n- name: X # x\n  url: c\n- name: Z\ntheme: {accent: "#fff", extra: 1} # t\n',
    ],
    [form({ footer: [] }), 'name: A\ntheme: {accent: "#fff", extra: 1} # t\n'],
    [form({ theme: {} }), text.replace('accent: "#fff", ', '')],
    [form({ theme: { accent: '#000', ground: 'x' } }), text.replace('#fff", extra: 1', '#000", extra: 1, ground: x')],
    [form({ edit: false, name: '' }), text.replace('name: A\n', '')],
    [form({ edit: true }), `${text}edit: true\n`],
  ]
  for (const [change, after] of cases) assert.equal(save(project, text, change), after)
})

test('a file that the editor cannot keep whole is rejected with a reason', () => {
  const cases: [Format, string, RegExp][] = [
    [colors, '- name: [a\n', /^cannot edit the file: line \d: /],
    [colors, '- &a name\n', /an anchor \(&\) is not allowed/],
    [colors, '- name: \uFFFD\n', /it is not UTF-8/],
    [colors, 'name: A\n', /it is not a list/],
    [project, '- A\n', /it is not a mapping/],
    [project, 'name: A\nname: B\n', /"name" appears here and on line 1/],
  ]
  for (const [format, text, message] of cases) assert.throws(() => format.fromFile(text), { message })
})

test('a form that cannot be saved is rejected with a reason', () => {
  const cases: [Format, FormValues, RegExp][] = [
    [colors, { items: [], source: '{' }, /has lost the text of the file/],
    [files, { items: [{ title: 'A' }] }, /it has no path; write one/],
    [files, { items: [{ path: 'a' }, { path: 'a' }] }, /"a" appears here and on line 1/],
    [colors, { items: [{ name: 'a\uFFFD' }] }, /it is not UTF-8/],
  ]
  for (const [format, content, message] of cases) assert.throws(() => format.toFile(content), { message })
})
