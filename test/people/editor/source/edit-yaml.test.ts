import assert from 'node:assert/strict'
import test from 'node:test'
import { type Document, isMap, isPair, isScalar, isSeq, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { editYaml } from '#people/editor/source/edit-yaml.ts'
import { addItem, removeItem, setValue, withText } from '#people/editor/source/yaml-nodes.ts'
import { golden } from '../../../support/golden.ts'
import { fc, forAllIn } from '../../../support/random.ts'

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

/** One change of a document, as the cases write it. */
type Written =
  | { set: Value; at: Path }
  | { remove: Path }
  | { add: Value; key?: string; at?: string[] }
  | { rename: string; to: string }

function changeOf(written: Written): Change {
  if ('set' in written) return set(written.set, ...written.at)
  if ('remove' in written) return remove(...written.remove)
  if ('add' in written) return add(written.add, written.key, ...(written.at ?? []))
  return rename(written.to, written.rename)
}

golden('editor/yaml', ({ before, changes }: { before: string; changes: Written[] }) =>
  edit(before, changes.map(changeOf)),
)

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

test('a changed, an added and a removed entry leave the text of all others and the comments between them', () =>
  forAllIn(300, [list, fc.array(fc.tuple(fc.nat(4), change), { maxLength: 3 })], ({ text, own }, all) => {
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
  }))
