import assert from 'node:assert/strict'
import test from 'node:test'
import { type Document, isMap, isPair, isScalar, isSeq, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { editYaml } from '#people/editor/source/edit-yaml.ts'
import { addItem, removeItem, setValue, withText } from '#people/editor/source/yaml-nodes.ts'
import { fc, scale } from '../../../support/random.ts'

type Value = string | boolean | readonly string[] | { readonly [key: string]: Value }
type Change = (document: Document) => void
type Path = readonly [...(string | number)[], string | number]

function edit(text: string, changes: readonly Change[]): string {
  const edited = editYaml(text, document => {
    for (const change of changes) change(document)
  })
  assert.ok(edited.ok, `${text} ${!edited.ok && edited.problem}`)
  return edited.value
}

/** A case: the YAML, what changes, and the YAML after it. */
type Case = readonly [before: string, changes: Change | readonly Change[], after: string]

function check(cases: readonly Case[]) {
  for (const [before, changes, after] of cases) assert.equal(edit(before, [changes].flat()), after, before)
}

function nodeOf(value: Value): Scalar | YAMLMap | YAMLSeq {
  if (typeof value === 'boolean') return new Scalar(value)
  if (typeof value === 'string') return withText(undefined, value)
  if (Array.isArray(value)) return Object.assign(new YAMLSeq(), { items: value.map(nodeOf), flow: true })
  const map = new YAMLMap()
  for (const [key, part] of Object.entries(value)) setValue(map, key, nodeOf(part))
  return map
}

/** The collection at a path, whose missing mappings are made. */
function collectionAt(document: Document, path: readonly (string | number)[]): YAMLMap | YAMLSeq {
  document.contents ??= new YAMLMap()
  let node: unknown = document.contents
  for (const step of path) {
    const part: unknown = isSeq(node) ? node.items[Number(step)] : isMap(node) && node.get(step, true)
    const next = isMap(part) || isSeq(part) ? part : new YAMLMap()
    if (next !== part && isMap(node)) setValue(node, `${step}`, next)
    node = next
  }
  assert.ok(isMap(node) || isSeq(node))
  return node
}

function set(value: Value, ...path: Path): Change {
  return document => {
    const key = path.at(-1) ?? ''
    const collection = collectionAt(document, path.slice(0, -1))
    const old: unknown = isSeq(collection) ? collection.items[Number(key)] : collection.get(key, true)
    const node = typeof value === 'string' ? withText(old, value) : nodeOf(value)
    if (isSeq(collection)) collection.items[Number(key)] = node
    else setValue(collection, `${key}`, node)
  }
}

function itemAt({ items }: YAMLMap | YAMLSeq, key: string | number): unknown {
  return typeof key === 'number'
    ? items[key]
    : items.find(item => isPair(item) && isScalar(item.key) && item.key.value === key)
}

function remove(...path: Path): Change {
  return document => {
    const collection = collectionAt(document, path.slice(0, -1))
    removeItem(collection, itemAt(collection, path.at(-1) ?? ''))
  }
}

/** Adds an entry to a list, or one with a key to a mapping. */
function add(value: Value, key?: string, ...path: string[]): Change {
  return document => {
    document.contents ??= key === undefined ? new YAMLSeq() : new YAMLMap()
    const node = nodeOf(value)
    addItem(collectionAt(document, path), key === undefined ? node : new Pair(new Scalar(key), node))
  }
}

function rename(name: string, path: string): Change {
  return document => {
    const item = itemAt(collectionAt(document, []), path)
    if (isPair(item)) item.key = withText(item.key, name)
  }
}

test('a changed value keeps its style, its comment and everything else', () => {
  check([
    ['- name: Ink # c\n  id: x\n', set('Red', 0, 'name'), '- name: Red # c\n  id: x\n'],
    ["- name: 'Ink'\n", set("It's", 0, 'name'), "- name: 'It''s'\n"],
    ['- name: "Ink"\n', set('Red', 0, 'name'), '- name: "Red"\n'],
    ['- name: Ink\n', set('a: b', 0, 'name'), '- name: "a: b"\n'],
    ['- name: Ink\n', set('true', 0, 'name'), '- name: "true"\n'],
    ['- name: Ink\n', set(true, 0, 'name'), '- name: true\n'],
    ['- name: Ink\n', set('2025', 0, 'name'), '- name: 2025\n'],
    ['- name:   Ink\n', set('Red', 0, 'name'), '- name:   Red\n'],
    ['- {name: Ink, id: x}\n', set('a, b', 0, 'name'), '- {name: "a, b", id: x}\n'],
    ['- {"name":"Ink"}\n', set('Red', 0, 'name'), '- {"name":"Red"}\n'],
    ['- hex: fc0 # c\n', set('#ffcc01', 0, 'hex'), '- hex: "#ffcc01" # c\n'],
    ['a: # later\nb: x\n', set('Two', 'a'), 'a: Two # later\nb: x\n'],
    ['a: null\n', set('Two', 'a'), 'a: Two\n'],
    ['a: One\n    more # c\nb: x\n', set('Two', 'a'), 'a: Two\n    # c\nb: x\n'],
    ['a: # c\n    One\n', set('Two', 'a'), 'a: # c\n    Two\n'],
    ['-\n  name:\n    A\n', set('B', 0, 'name'), '-\n  name:\n    B\n'],
    ['? name\n: A\n', set('B', 'name'), '? name\n: B\n'],
    ['a: [ 1,2 , "3" ] # c\n', set('4', 'a', 2), 'a: [ 1,2 , "4" ] # c\n'],
    ['a: none # c\n', set({ b: 'x' }, 'a'), 'a:\n  # c\n  b: x\n'],
  ])
})

test('a text of several lines is a block, in the style that it had', () => {
  check([
    [
      '- use: >- # c\n      One\n      two\n\n  id: x\n',
      set('Three', 0, 'use'),
      '- use: >- # c\n      Three\n\n  id: x\n',
    ],
    ['- use: >\n    One\n    two\n', set('a\nb', 0, 'use'), '- use: >\n    a\n\n    b\n'],
    ['- use: |+\n    One\n\n\n  id: x\n', set('a\n\n  b', 0, 'use'), '- use: |+\n    a\n\n      b\n\n\n  id: x\n'],
    ['- use: |2\n    One\n', set('Two', 0, 'use'), '- use: |2\n    Two\n'],
    ['- use: One # c\n  id: x\n', set('a\nb', 0, 'use'), '- use: |- # c\n    a\n    b\n  id: x\n'],
    ['- use: "One"\n', set('a\nb', 0, 'use'), '- use: "a\\nb"\n'],
    ['- name: Ink\n', set('a\nb', 0, 'use'), '- name: Ink\n  use: |-\n    a\n    b\n'],
    ['- {name: Ink}\n', set('a\nb', 0, 'use'), '- {name: Ink, use: "a\\nb"}\n'],
  ])
})

test('a new key comes last, in the style and with the indent of its mapping', () => {
  check([
    [
      '- name: Ink # c\n  other: [1]\n\n# end\n',
      set('x', 0, 'id'),
      '- name: Ink # c\n  other: [1]\n  id: x\n\n# end\n',
    ],
    ['-   name: Ink', set('x', 0, 'id'), '-   name: Ink\n    id: x'],
    ['- {name: Ink}\n', set('x', 0, 'id'), '- {name: Ink, id: x}\n'],
    ['- { name: Ink }\n', set('x', 0, 'id'), '- { name: Ink, id: x }\n'],
    ['- {}\n', [set('Ink', 0, 'name'), set('x', 0, 'id')], '- name: Ink\n  id: x\n'],
    ['- use: |\n    One\n\n- id: x\n', set(true, 0, 'dark'), '- use: |\n    One\n  dark: true\n\n- id: x\n'],
    ['a: x\n', set('y', 'theme', 'scale', 'h1'), 'a: x\ntheme:\n  scale:\n    h1: y\n'],
    ['a: {b: x}\n', set('y', 'a', 'scale', 'h1'), 'a: {b: x, scale: {h1: y}}\n'],
    ['a: none # c\n', set('x', 'a', 'b'), 'a:\n  # c\n  b: x\n'],
    ['a: x\nb:\n    c: 1\n', set('y', 'd', 'e'), 'a: x\nb:\n    c: 1\nd:\n    e: y\n'],
    ['a: x\n', set(['b', 'c, d'], 'on'), 'a: x\non: [b, "c, d"]\n'],
    ['', [set('A', 'name'), set(['x'], 'pages')], 'name: A\npages: [x]\n'],
    ['# head', add({ name: 'A', hex: '#fff' }), '# head\n\n- name: A\n  hex: "#fff"'],
    ['[]\n', add({ name: 'A' }), '- name: A\n'],
  ])
})

test('a removed key takes its lines and the comment directly above it', () => {
  check([
    ['- name: Ink # c\n  id: x\n  use: y\n', remove(0, 'name'), '- id: x\n  use: y\n'],
    ['- name: Ink\n  id: x # c\n  use: y\n', remove(0, 'id'), '- name: Ink\n  use: y\n'],
    ['- name: Ink\n  id: x # c', remove(0, 'id'), '- name: Ink'],
    ['- name: Ink\n  # about x\n  id: x\n  use: y\n', remove(0, 'id'), '- name: Ink\n  use: y\n'],
    ['- name: Ink\n  # about x\n  id: x\n', remove(0, 'name'), '- # about x\n  id: x\n'],
    ['- name: Ink\n', remove(0, 'name'), '- {}\n'],
    ['- {name: Ink, id: x}\n', remove(0, 'name'), '- {id: x}\n'],
    ['- {name: Ink, id: x}\n', remove(0, 'id'), '- {name: Ink}\n'],
    ['- name: Ink\n  id: x\n', [remove(0, 'id'), set('y', 0, 'use')], '- name: Ink\n  use: y\n'],
    ['- name: Ink\n', [remove(0, 'name'), set('y', 0, 'use')], '- use: y\n'],
  ])
})

test('a removed entry takes its lines, its comments and one blank line; a new one has a blank line if all have', () => {
  const text = '# head\n- name: A\n# about B\n- name: B # b\n  # more: B\n\n# section\n\n- name: C'
  check([
    [text, remove(1), '# head\n- name: A\n# section\n\n- name: C'],
    [text, remove(0), '# head\n# about B\n- name: B # b\n  # more: B\n\n# section\n\n- name: C'],
    [text, remove(2), '# head\n- name: A\n# about B\n- name: B # b\n  # more: B\n\n# section'],
    [text, add({ name: 'D' }), `${text}\n- name: D`],
    [text, [remove(1), remove(1)], '# head\n- name: A\n\n# section'],
    [text, [0, 0, 0].map(at => remove(at)), '# head\n# about B\n# section\n[]'],
    ['- name: A\n\n- name: B\n\n- name: C\n', remove(1), '- name: A\n\n- name: C\n'],
    ['- name: A\n\n- name: B\n', add({ name: 'C' }), '- name: A\n\n- name: B\n\n- name: C\n'],
    ['- {name: A}\n', add({ name: 'B' }), '- {name: A}\n- {name: B}\n'],
    ['[{name: A}, {name: B},\n {name: C}] # c\n', remove(0), '[{name: B},\n {name: C}] # c\n'],
    ['a: [1, 2, 3,]\n', [remove('a', 1), remove('a', 1)], 'a: [1,]\n'],
    ['a: [\n  b, # one\n  c, # two\n  d\n]\n', remove('a', 1), 'a: [\n  b, # one\n  d\n]\n'],
    ['a:\n- x\n- y # z\n', [remove('a', 0), set('w', 'a', 0)], 'a:\n- w # z\n'],
  ])
})

test('an entry with a key keeps its value if its key changes, and a new one follows the last', () => {
  check([
    ['a.svg: A # c\n', rename('new: a', 'a.svg'), '"new: a": A # c\n'],
    ['"b.svg":\n  title: B\n', rename('d', 'b.svg'), '"d":\n  title: B\n'],
    ['a:\n  x: 1\n', add({ y: '2' }, 'b'), 'a:\n  x: 1\nb:\n  y: 2\n'],
    ['f:\n  a: {x: 1}\n', add({ y: '2' }, 'b', 'f'), 'f:\n  a: {x: 1}\n  b: {y: 2}\n'],
  ])
})

test('in a long list in a style of its own, a change stays in its entry', () => {
  const entry = (at: number) =>
    `- name: Colour ${at}\n  hex: aabbcc\n  cmyk: [ 1,2, 3 ,4 ]\n  use: >-\n      some\n      text\n`
  const text = Array.from({ length: 600 }, (_, at) => entry(at)).join('')
  const changed = text.replace(entry(300), () => entry(300).replace('aabbcc', '"#010203"'))
  assert.equal(edit(text, [set('#010203', 300, 'hex')]), changed)
})

test('a change is refused if the edited text would not read as the changed document', () => {
  const text = '- use: >-\n      a\n      b\n  rgb: [\n    1, # one\n    2,\n  ]\n'
  const edited = editYaml(text, set('a: b', 0, 'use'))
  assert.equal(!edited.ok && edited.problem.includes('edit the file with git'), true)
  assert.equal(edit(text, [set('x', 0, 'id')]), `${text}  id: x\n`)
})

/** The lines of a key, with `{}` for its indentation. */
const keys = fc
  .subarray(
    [
      ['use: One # why', 'use: "a: b"', "use: 'it''s'", 'use: |\n{}  a\n\n{}  b  ', 'use: >-\n{}    a\n{}    b'],
      ['rgb: [1, 2, 3]', 'rgb: 1, 2, 3', 'rgb:\n{}- 1 # one\n{}- 2\n{}- 3'],
      ['hex: "#FFF"', 'hex: 000000', 'hex: red'],
      ['theme: none', 'theme: {ground: a, x: 1}', 'theme:\n{}  # logo: a\n{}  logo: b # b\n{}  # end'],
      ['other:\n{}  - {name: x} # x', 'other: ""', '# note: 1\n{}other: 2'],
    ].map(styles => fc.constantFrom(...styles)),
  )
  .chain(chosen => fc.tuple(...chosen))

const separator = fc.constantFrom('', '', '\n', '\n# section\n\n', '# about\n', '# about\n# more\n')

const list = fc
  .tuple(fc.constantFrom('', '  '), fc.boolean(), fc.array(fc.tuple(keys, separator), { minLength: 1, maxLength: 5 }))
  .map(([indent, isEnded, entries]) => {
    const own = entries.map(
      ([lines], at) => `${indent}- ${[`name: E${at}`, ...lines].join('\n{}').replaceAll('{}', `${indent}  `)}`,
    )
    const text = `# head\n${own.map((entry, at) => `${(entries[at]?.[1] ?? '').replace(/^(?=#)/gm, indent)}${entry}\n`).join('')}`
    return { text: isEnded ? text : text.trimEnd(), own: own.map(entry => entry.trimEnd()) }
  })

const string = fc.oneof(
  fc.constantFrom('x', 'a, b', 'a: b', '# a', '- a', 'null', "it's", 'a\nb', 'a  \n\n   b', '{a}', '"', '\\'),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter(text => text.trim() === text && !/[\0\r\uFEFF]/.test(text)),
)
const change = fc.oneof(
  fc.tuple(fc.constantFrom('use', 'name', 'hex', 'new'), string).map(([key, value]) => (at: number) => [
    set(value, at, key),
  ]),
  fc.constant((at: number) => [remove(at)]),
  string.map(name => () => [add({ name })]),
  fc.tuple(string, string).map(([a, b]) => () => [add({ name: a }), add({ name: b, theme: { x: a } })]),
  string.map(value => (at: number) => [set(value, at, 'fresh', 'deep'), remove(at, 'name')]),
)

test('a changed, an added and a removed entry leave the text of all others and the comments between them', () => {
  fc.assert(
    fc.property(list, fc.array(fc.tuple(fc.nat(4), change), { maxLength: 3 }), ({ text, own }, all) => {
      const changes = new Map(all.map(([at, make]) => [at % own.length, make]))
      const saved = edit(
        text,
        [...changes].sort(([a], [b]) => b - a).flatMap(([at, make]) => make(at)),
      )
      let end = 0
      for (const [at, entry] of own.entries()) {
        if (changes.has(at)) continue
        const start = saved.indexOf(entry, end)
        assert.notEqual(start, -1, saved)
        end = start + entry.length
      }
      assert.equal(saved.split('# section').length, text.split('# section').length)
      assert.equal(saved.slice(0, 6), '# head')
      if (changes.size === 0) assert.equal(saved, text)
    }),
    { numRuns: scale(300) },
  )
})
