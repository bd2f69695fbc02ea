import assert from 'node:assert/strict'
import test from 'node:test'
import { type EditorField, type FormValues, SOURCE } from '#people/editor/formats/field.ts'
import { isSameForm } from '#people/editor/formats/values.ts'
import { yamlFormat } from '#people/editor/formats/yaml-format.ts'
import { fc, scale } from '../../../support/random.ts'
import { COLOR_FIELDS, FILE_FIELDS } from './editor-fields.ts'
import { entriesOf } from './forms.ts'

const colors = yamlFormat(COLOR_FIELDS)
const files = yamlFormat(FILE_FIELDS)

/** The lines of a key, with `{}` for its indentation. */
const keys = (name: string) =>
  fc
    .subarray(
      [
        [`use: One # ${name}`, 'use: "a: b"', "use: 'it''s'", 'use: |\n{}  a\n\n{}  b  ', 'use: >-\n{}    a\n{}    b'],
        ['rgb: [1, 2, 3]', 'rgb: 1, 2, 3', 'rgb:\n{}- 1 # one\n{}- 2\n{}- 3', 'rgb: [\n{}  1, # one\n{}  2,\n{}]'],
        ['on: [a, "b"] # on', 'on: a, b', 'on:\n{}  # a\n{}  - a\n\n{}  - b'],
        ['hex: "#FFF"', 'hex: 000000', 'hex: red'],
        ['theme: none', 'theme: {ground: a, x: 1}', 'theme:\n{}  # logo: a\n{}  logo: b # b\n{}  # end'],
        ['features: {tnum: 1}', 'features:\n{}  tnum: 1\n\n{}  "ss 01": 2', 'features: {}'],
        ['dark: true', 'dark: no'],
        [`other:\n{}  - {name: ${name}} # x`, 'other: ""', '# note: 1\n{}other: 2'],
      ].map(styles => fc.constantFrom(...styles)),
    )
    .chain(chosen => fc.tuple(...chosen))

const separator = fc.constantFrom('', '', '\n', '\n# section\n\n', '# {name}\n', '# {name}\n# more\n')

type Style = { indent: string; eol: string; isEnded: boolean; mark: string }

const style: fc.Arbitrary<Style> = fc.record({
  indent: fc.constantFrom('', '  '),
  eol: fc.constantFrom('\n', '\r\n'),
  isEnded: fc.boolean(),
  mark: fc.constantFrom('', '\uFEFF'),
})

const list = fc
  .tuple(style, fc.array(fc.tuple(fc.constantFrom('A', 'B-c', '2024').chain(keys), separator), { maxLength: 5 }))
  .map(([{ indent, eol, isEnded, mark }, entries]) => {
    const own = entries.map(([lines], at) => {
      return `${indent}- ${[`name: E${at}`, ...lines].join('\n{}').replaceAll('{}', `${indent}  `)}`
    })
    const above = entries.map(([, comments], at) => comments.replace(/^(?=#)/gm, indent).replaceAll('{name}', `E${at}`))
    const text = `# head\n${own.map((entry, at) => `${above[at]}${entry}\n`).join('')}`
    const ended = mark + (isEnded ? text : text.trimEnd()).replaceAll('\n', eol)
    return { text: ended, own: own.map(entry => entry.trimEnd().replaceAll('\n', eol)) }
  })

const mapping = fc
  .tuple(style, fc.array(fc.tuple(fc.nat(4), separator), { maxLength: 5 }), fc.boolean())
  .map(([{ eol, isEnded, mark }, entries, hasFolders]) => {
    const values = [' text # c', '\n  title: A # a\n  # end', ' {title: A, medium: [print]}', '', ' >-\n  a\n  b']
    const texts = entries.map(
      ([value, above], at) => `${above.replace('{name}', `E${at}`)}e${at}.svg:${values[value]}\n`,
    )
    if (hasFolders) texts.splice(1, 0, 'folders:\n  logo:\n    title: Logo\n')
    const text = `# head\n${texts.join('')}`
    return mark + (isEnded ? text : text.trimEnd()).replaceAll('\n', eol)
  })

type Edit = (entries: readonly FormValues[]) => FormValues[]

const string = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    'a, b',
    '1, 2, 3, 4',
    'a: b',
    '# a',
    '- a',
    'null',
    "it's",
    'a\nb',
    'a  \n\n   b',
    '{a}',
    '"',
    '\\',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const word = fc.constantFrom('a', 'b', 'c', 'd e', 'f, g')
const change = fc.oneof(
  fc.record({ use: string }),
  fc.record({ name: string }),
  fc.record({ rgb: fc.constantFrom('', '1', '1, 2', '3, 2, 1', '1, 2, 3, 4', '1, 5, 3') }),
  fc.record({ on: fc.uniqueArray(word, { maxLength: 4 }) }),
  fc.record({ hex: fc.constantFrom('', '#123456', '#ffffff') }),
  fc.record({ dark: fc.boolean() }),
  fc.record({ theme: fc.record({ logo: string, ground: string }, { requiredKeys: [] }) }),
  fc.record({ features: fc.dictionary(fc.constantFrom('tnum', 'ss 01', '0', 'a: b'), fc.constantFrom('1', '2', '')) }),
)
const at = fc.nat(4)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(at, change).map(
    ([index, given]): Edit =>
      all =>
        all.map((each, i) => (i === index ? { ...each, ...given } : each)),
  ),
  fc.tuple(at, change).map(
    ([index, given]): Edit =>
      all =>
        all.toSpliced(index, 0, { name: 'New', path: `${index}.new`, at: '', ...given }),
  ),
  at.map(
    (index): Edit =>
      all =>
        all.toSpliced(index, 1),
  ),
  fc.tuple(at, at).map(
    ([from, to]): Edit =>
      all =>
        all.toSpliced(from, 1).toSpliced(to, 0, ...all.slice(from, from + 1)),
  ),
)

test('every edit of a list gives the form that was wanted, and saving again changes nothing', () => {
  fc.assert(
    fc.property(list, fc.array(edit, { maxLength: 4 }), ({ text }, edits) => {
      const form = colors.fromFile(text)
      const items = edits.reduce<FormValues[]>((all, apply) => apply(all), entriesOf(form))
      const saved = colors.toFile({ ...form, items })
      assert.ok(isSame(COLOR_FIELDS, colors.fromFile(saved), { items }))
      assert.equal(colors.toFile(colors.fromFile(saved)), saved)
      if (edits.length === 0) assert.equal(saved, text)
    }),
    { numRuns: scale(150) },
  )
})

test('every edit of keyed entries gives the form that was wanted, and saving again changes nothing', () => {
  fc.assert(
    fc.property(mapping, fc.array(edit, { maxLength: 4 }), (text, edits) => {
      const form = files.fromFile(text)
      const items = edits
        .reduce<FormValues[]>((all, apply) => apply(all), entriesOf(form))
        .map(({ name, use, ...item }, index) => ({
          ...item,
          title: name,
          description: use ?? item.description,
          path: `${item.path}${index}`,
        }))
      const saved = files.toFile({ ...form, items })
      assert.ok(isSame(FILE_FIELDS, files.fromFile(saved), { ...form, items }))
      assert.equal(files.toFile(files.fromFile(saved)), saved)
    }),
    { numRuns: scale(150) },
  )
})

test('a changed, an added and a removed entry leave the text of all others', () => {
  const actions = fc.constantFrom('change', 'add', 'remove')
  fc.assert(
    fc.property(list, at, change, actions, ({ text, own }, index, given, action) => {
      const form = colors.fromFile(text)
      const all = entriesOf(form)
      if (action !== 'add' && index >= all.length) return
      if (action === 'remove' && all.length === 1) return
      const changed = { ...all[index], ...given }
      const items =
        action === 'change'
          ? all.with(index, changed)
          : action === 'add'
            ? all.toSpliced(index, 0, { name: 'New', ...given })
            : all.toSpliced(index, 1)
      const saved = colors.toFile({ ...form, items })
      let end = 0
      for (const [number, entry] of own.entries()) {
        if (number === index && action !== 'add') continue
        const start = saved.indexOf(entry, end)
        assert.notEqual(start, -1, saved)
        end = start + entry.length
      }
      assert.equal(countOf(saved, '# section'), countOf(text, '# section'))
      assert.equal(saved.slice(0, 6), text.slice(0, 6))
    }),
    { numRuns: scale(150) },
  )
})

test('entries that move keep their text, and the text between them stays', () => {
  fc.assert(
    fc.property(list, fc.infiniteStream(fc.nat()), ({ text, own }, numbers) => {
      const form = colors.fromFile(text)
      const order = own.map(() => numbers.next().value)
      const items = entriesOf(form).toSorted((a, b) => (order[Number(a.at)] ?? 0) - (order[Number(b.at)] ?? 0))
      const saved = colors.toFile({ ...form, items })
      for (const entry of own) assert.ok(saved.includes(entry), saved)
      const lines = (each: string) => each.split(/\r?\n/).toSorted()
      assert.deepEqual(lines(saved), lines(text))
    }),
    { numRuns: scale(150) },
  )
})

function countOf(text: string, part: string): number {
  return text.split(part).length - 1
}

function isSame(fields: readonly EditorField[], a: FormValues, b: FormValues): boolean {
  return isSameForm(
    fields.filter(({ name }) => name !== SOURCE),
    a,
    b,
  )
}
