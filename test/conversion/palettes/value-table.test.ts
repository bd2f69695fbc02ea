import assert from 'node:assert/strict'
import test from 'node:test'
import { readValueTable } from '#conversion/palettes/value-table.ts'

/** Each colour as its name and its values. */
function colorsIn(...lines: readonly string[]): string[] {
  const [header = [], ...rows] = lines.map(line => line.split('|').map(cell => cell.trim()))
  return readValueTable({ header, rows }).map(({ name, fields }) => {
    const values = Array.from(fields, ([key, value]) => `${key} ${value instanceof Map ? [...value].join() : value}`)
    return [name, ...values].join(', ')
  })
}

test('a table with names and values for screens gives colours, with print values as they are written', () => {
  assert.deepEqual(
    colorsIn(
      'Swatch | Name | Web | RGB | CMYK | Pantone | RAL | HKS | Use | Files',
      '![](a.png) | **Sea** | `#0B3C5D` | 11 / 60 / 93 | C 95 M 65 Y 35 K 30 | PMS 3025 C | 5001 | 41 K | Text | a.zip',
      ' | [Fog](fog.md) | #ABC | 170 187 204 | – | n/a | RAL 7035 | — | | ',
      'Greys | | | | | | | | |',
    ),
    [
      'Sea, hex #0B3C5D, rgb 11 / 60 / 93, cmyk C 95 M 65 Y 35 K 30, pms PMS 3025 C, ral 5001, use Text, inks HKS,41 K',
      'Fog, hex #ABC, rgb 170 187 204, ral RAL 7035',
    ],
  )
})

for (const [what, lines, colors] of [
  [
    'headers in another language',
    ['Колір | Назва | Код', ' | Синій | #0B3C5D', ' | Білий | #FFFFFF'],
    ['Синій, hex #0B3C5D', 'Білий, hex #FFFFFF'],
  ],
  ['a column of colours that are hex', ['Name | Colour', 'Sea | #112233'], ['Sea, hex #112233']],
  [
    'rows that are columns',
    [' | Sea | Sand', 'Hex | #0B3C5D | #D9B310', 'CMYK | 95 65 35 30 | –'],
    ['Sea, hex #0B3C5D, cmyk 95 65 35 30', 'Sand, hex #D9B310'],
  ],
  ['numbers of tickets', ['Ticket | Title', '#123456 | Blue is wrong'], []],
  ['numbers of tickets without words', ['Ticket | Id', '#12345a | 9'], []],
  [
    'columns with names of colour columns, but other cells',
    ['Channel | Title | Web | Print', 'Home | Start | Open the guide | None'],
    [],
  ],
  [
    'words among values',
    ['Name | Hex', 'Sea | #112233', 'Uses | Headlines', 'Veil | #11223380'],
    ['Sea, hex #112233', 'Veil, hex #11223380'],
  ],
  ['sizes', ['Name | Size', 'Large | 16'], []],
] as const)
  test(`a table on a page is read by its columns and cells: ${what}`, () => {
    assert.deepEqual(colorsIn(...lines), colors)
  })
