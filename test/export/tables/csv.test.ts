import assert from 'node:assert/strict'
import test from 'node:test'
import { readCsv } from '../../../src/conversion/palettes/csv.ts'
import { csvLine, escapeFormula, listCell } from '../../../src/export/tables/csv.ts'
import { needs } from '../../support/programs.ts'
import { fc, scale } from '../../support/random.ts'
import { csvLists, csvRecords, csvRows } from './python-csv.ts'

const cells: [text: string, cell: string][] = [
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['a;=1', "a;'=1"],
  ["a;'=1", "a;''=1"],
  ['a; "=1', 'a;\' "=1'],
  ['a\n-1', "a\n'-1"],
  ['a;b=1;', 'a;b=1;'],
  ['\r1', "'\r1"],
  [' =1', "' =1"],
  ['\u200b=1', "'\u200b=1"],
  ['＝1', "'＝1"],
  ["'=1", "''=1"],
  ["'n Roll", "'n Roll"],
  ['a=1', 'a=1'],
  ['', ''],
]
for (const [text, cell] of cells)
  test(`the cell of the string ${JSON.stringify(text)} is ${JSON.stringify(cell)}`, () =>
    assert.equal(escapeFormula(text), cell))

const text = fc.string({ unit: fc.constantFrom(...'\'"=+-@＝, \t\r\n;xé😀\u200b'), maxLength: 6 })
const rows = fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 100 })

test(
  'Python reads every original string after removing the guard apostrophes, and finds no formula',
  needs('python3'),
  () => {
    fc.assert(
      fc.property(rows, rows => {
        const lines = rows.map(row => csvLine(row.map(escapeFormula)))
        const table = csvLine(['a', 'b', 'c']) + lines.join('')
        const found = csvRecords(table)
        assert.deepEqual(
          found.map(({ a, b, c }) => [a, b, c]),
          rows,
        )
        for (const cell of csvRows(table).flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
        for (const delimiter of [';', '\t'] as const)
          for (const cell of csvRows(csvLine(['id', 'name']) + lines.join(''), delimiter).flat())
            assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]/, delimiter)
      }),
      { numRuns: scale(3) },
    )
  },
)

test('housestyle reads back every string of its own table', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'\'"=+-@＝;\t\nxé'), minLength: 1, maxLength: 8 })
  const text = cell.map(each => `${each}x`).filter(each => each.trim() === each)
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), texts => {
      const table = [
        csvLine(['id', 'name', 'hex', 'use']),
        ...texts.map((use, at) => csvLine([`c${at}`, 'C', '#000', escapeFormula(use)])),
      ]
      const found = readCsv(table.join(''), new Map())
      assert.ok(found.ok)
      assert.deepEqual(
        found.value.colors.map(({ fields }) => fields.get('use')),
        texts,
      )
    }),
  )
})

test('a list is a line of CSV in its cell, so its items keep their commas and quotes', needs('python3'), () => {
  const items = ['Helvetica Neue', 'A, B', 'say "Hi"', ' padded ', 'serif']
  assert.equal(listCell(items), 'Helvetica Neue, "A, B", "say ""Hi""", " padded ", serif')
  assert.deepEqual(csvLists([listCell(items)]), [items])
  assert.equal(listCell([]), '')
})
