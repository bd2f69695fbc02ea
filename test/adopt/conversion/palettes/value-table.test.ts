import assert from 'node:assert/strict'
import test from 'node:test'
import { readValueTable } from '#adopt/conversion/palettes/value-table.ts'
import { type Notes, noteLines } from '#brand/tokens/found-styles.ts'

/** Each colour as its name and its values. */
function colorsIn(...lines: readonly string[]): string[] {
  const [header = [], ...rows] = lines.map(line => line.split('|').map(cell => cell.trim()))
  return readValueTable({ header, rows }, new Map()).map(({ name, fields }) => {
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
    'the values before the names',
    ['Hex | Name | Role', '#F0EEE9 | Cloud Dancer | Ground', '#2C2A26 | Espresso | Ink'],
    ['Cloud Dancer, hex #F0EEE9', 'Espresso, hex #2C2A26'],
  ],
  [
    'rows that are columns',
    [' | Sea | Sand', 'Hex | #0B3C5D | #D9B310', 'CMYK | 95 65 35 30 | –'],
    ['Sea, hex #0B3C5D, cmyk 95 65 35 30', 'Sand, hex #D9B310'],
  ],
  [
    'more than one column of names',
    ['Rol de marca | Nombre | HEX', 'Base oscura | Petróleo | #072B31'],
    ['Petróleo, hex #072B31'],
  ],
  [
    'a use instead of a name',
    ['Use | Hex | CMYK (print)', 'Brand red | #941114 | C0 M97 Y89 K45'],
    ['Brand red, hex #941114, cmyk C0 M97 Y89 K45'],
  ],
  [
    'variables, dots, and hyphens between channels',
    [
      'Token | HEX | RGB-Werte | Kolor CMYK',
      '`--ink` | #0B3C5D | 11 · 60 · 93 | 88-35-0-64',
      '🟥 Red | #AA0000 | | tbd',
    ],
    ['ink, hex #0B3C5D, rgb 11, 60, 93, cmyk 88, 35, 0, 64', 'Red, hex #AA0000'],
  ],
  [
    'names of columns in five languages',
    ['Nome | HEX | Sonderfarbe | RAL-Ton | Couleur', 'Rosso | #AE2012 | 1805 C | 3000 | Rouge'],
    ['Rosso, hex #AE2012, pms 1805 C, ral 3000'],
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
  [
    'names and uses that are words for nothing',
    ['Name | Hex | PMS | HKS | Use', 'X | #112233 | x | keine | none', 'None | #445566 | PMS – | tbd | -'],
    ['X, hex #112233, use none', 'None, hex #445566, use -'],
  ],
  ['sizes', ['Name | Size', 'Large | 16'], []],
] as const)
  test(`a table on a page is read by its columns and cells: ${what}`, () => {
    assert.deepEqual(colorsIn(...lines), colors)
  })

test('columns of print values that a colour has no place for are noted', () => {
  const notes: Notes = new Map()
  const header = ['Name', 'Hex', 'CMYK coated', 'CMYK uncoated', 'Pantone approx.', 'Files']
  readValueTable({ header, rows: [['Plum', '#5A189A', '42 84 0 40', '40 80 0 30', '2597', 'a.zip', '']] }, notes)
  assert.deepEqual(noteLines(notes), ['"CMYK uncoated", "Pantone approx.": unknown column; left out'])
})
