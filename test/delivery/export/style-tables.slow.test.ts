import assert from 'node:assert/strict'
import test from 'node:test'
import { guideStyles } from '#adopt/conversion/guide-styles.ts'
import { readCsv } from '#adopt/conversion/palettes/csv.ts'
import { COLOR_COLUMNS } from '#brand/color.ts'
import { csvLine, escapeFormula } from '#delivery/export/style-tables.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { exported, onlyText } from '../../support/exported.ts'
import { needs } from '../../support/programs.ts'
import { fc, forAll, forAllIn } from '../../support/random.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { forAnyBrand } from './hostile-brand.ts'
import { csvLists, csvRecords, csvRows } from './python-csv.ts'

const text = fc.string({ unit: fc.constantFrom(...'\'"=+-@＝, \t\r\n;xé😀\u200b'), maxLength: 6 })
const rows = fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 100 })

test('Python reads every original string, and finds no formula', needs('python3'), () =>
  forAllIn(3, [rows], rows => {
    const lines = rows.map(row => csvLine(row.map(escapeFormula)))
    const table = csvLine(['a', 'b', 'c']) + lines.join('')
    const found = csvRecords(table)
    const seen = found.map(({ a, b, c }) => [a, b, c])
    assert.deepEqual(seen, rows)
    for (const cell of csvRows(table).flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
    for (const delimiter of [';', '\t'] as const)
      for (const cell of csvRows(csvLine(['id', 'name']) + lines.join(''), delimiter).flat())
        assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]/, delimiter)
  }),
)

test('housestyle reads back every string of its own table', async () => {
  const cell = fc.string({ unit: fc.constantFrom(...'\'"=+-@＝;\t\nxé'), minLength: 1, maxLength: 8 })
  const text = cell.map(each => `${each}x`).filter(each => each.trim() === each)
  await forAll([fc.array(text, { minLength: 1, maxLength: 20 })], texts => {
    const table = [
      csvLine(['id', 'name', 'hex', 'use']),
      ...texts.map((use, at) => csvLine([`c${at}`, 'C', '#000', escapeFormula(use)])),
    ]
    const found = readCsv(table.join(''), new Map())
    assert.ok(found?.ok)
    const seen = found.value.colors.map(({ fields }) => fields.get('use'))
    assert.deepEqual(seen, texts)
  })
})

const temporary = await temporaryStore()

test('init reads colors.csv back, with values on dark grounds', async () => {
  const made = await exported(temporary, 'csv', {
    'styles/colors.yaml':
      '- { name: Ink, hex: "#14212b", inks: { HKS: 13 K }, dark: { rgb: [138, 184, 238] } }\n- { name: Paper, hex: faf7f2 }\n',
  })
  const text = onlyText(made)
  const read = readCsv(text, new Map())
  assert.ok(read?.ok)
  const found = guideStyles([read.value])
  assert.deepEqual(found.ok && found.value.colors, made.colors)
})

test('Python reads every authored value of every colour, with any names', needs('python3'), async () => {
  await forAnyBrand(6, async brand => {
    const made = await exported(temporary, 'csv', brand)
    const records = csvRecords(onlyText(made))
    const grounds = csvLists(records.map(({ on = '' }) => on))
    const found = records.map(({ ral = '', on = '', proportion = '', ...rest }, at) => ({
      ...Object.fromEntries(Object.entries(rest).filter(([, cell]) => cell !== '')),
      ...withoutUndefined({
        ral: ral === '' ? undefined : Number(ral),
        on: on === '' ? undefined : grounds[at],
        proportion: proportion === '' ? undefined : Number(proportion),
      }),
    }))
    const own = new Set<string>(['id', ...COLOR_COLUMNS])
    const withInks = found.map(color => {
      const [values, inks] = [true, false].map(isOwn => Object.entries(color).filter(([key]) => own.has(key) === isOwn))
      return { ...Object.fromEntries(values ?? []), ...(inks?.length && { inks: Object.fromEntries(inks) }) }
    })
    assert.deepEqual(withInks, made.colors)
  })
})

test('Python reads every authored value of every type style, with any names', needs('python3'), async () => {
  await forAnyBrand(6, async brand => {
    const made = await exported(temporary, 'csv-types', brand)
    const records = csvRecords(onlyText(made))
    const lists = csvLists(records.flatMap(({ fallback = '', features = '', axes = '' }) => [fallback, features, axes]))
    const found = records.map((cells, at) => styleOf(cells, lists.slice(3 * at, 3 * at + 3)))
    assert.deepEqual(found, made.types)
  })
})

const NUMBERS = ['size', 'weight', 'leading', 'tracking', 'spacing']

function styleOf(cells: Record<string, string>, [fallback = [], features = [], axes = []]: string[][]): object {
  const { features: _, fallback: __, axes: ___, responsive, ...rest } = cells
  const settings = (items: string[]) =>
    Object.fromEntries(items.map(item => [item.slice(0, 4), Number(item.slice(5))] as const))
  const values = Object.entries(rest)
    .filter(([, cell]) => cell !== '')
    .map(([key, cell]) => [key, NUMBERS.includes(key) ? Number(cell) : cell] as const)
  return {
    ...Object.fromEntries(values),
    ...(fallback.length > 0 && { fallback }),
    responsive: responsive === 'true',
    features: settings(features),
    ...(axes.length > 0 && { axes: settings(axes) }),
  }
}
