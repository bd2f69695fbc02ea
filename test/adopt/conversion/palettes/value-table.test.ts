import assert from 'node:assert/strict'
import test from 'node:test'
import { readValueTable } from '#adopt/conversion/palettes/value-table.ts'
import { type Notes, noteLines } from '#brand/tokens/found-styles.ts'
import { golden } from '#test/support/golden.ts'

/** Each colour as its name and its values. */
function colorsIn({ table, heading }: { table: string; heading?: string }): string[] {
  const [header = [], ...rows] = table.split('\n').map(line => line.split('|').map(cell => cell.trim()))
  return readValueTable({ header, rows, heading }, new Map()).map(({ name, fields }) => {
    const values = Array.from(fields, ([key, value]) => `${key} ${value instanceof Map ? [...value].join() : value}`)
    return [name, ...values].join(', ')
  })
}

test('columns of print values that a colour has no place for are noted', () => {
  const notes: Notes = new Map()
  const header = ['Name', 'Hex', 'CMYK coated', 'CMYK uncoated', 'Pantone approx.', 'Files']
  readValueTable({ header, rows: [['Plum', '#5A189A', '42 84 0 40', '40 80 0 30', '2597', 'a.zip', '']] }, notes)
  assert.deepEqual(noteLines(notes), ['"CMYK uncoated", "Pantone approx.": unknown column; left out'])
})

golden('adopt/conversion/palettes/value-table', colorsIn)
