import assert from 'node:assert/strict'
import test from 'node:test'
import { guideStyles } from '#adopt/conversion/guide-styles.ts'
import { readCsv } from '#adopt/conversion/palettes/csv.ts'
import { COLOR_COLUMNS, colorColumns } from '#brand/color.ts'
import { csvLine, escapeFormula } from '#delivery/export/style-tables.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { exported, onlyText } from '../../support/exported.ts'
import { needs } from '../../support/programs.ts'
import { fc, scale } from '../../support/random.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { forAnyBrand } from './hostile-brand.ts'
import { csvLists, csvRecords, csvRows } from './python-csv.ts'

const text = fc.string({ unit: fc.constantFrom(...'\'"=+-@＝, \t\r\n;xé😀\u200b'), maxLength: 6 })
const rows = fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 100 })

test('Python reads every original string, and finds no formula', needs('python3'), () => {
  fc.assert(
    fc.property(rows, rows => {
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
    { numRuns: scale(3) },
  )
})

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
      assert.ok(found?.ok)
      const seen = found.value.colors.map(({ fields }) => fields.get('use'))
      assert.deepEqual(seen, texts)
    }),
  )
})

const temporary = await temporaryStore()

test('colors.csv has a header, and a row for each colour in the order of the folder', async () => {
  const made = await exported(temporary, 'csv', {
    'styles/colors.yaml': `- { name: "Ink, \\"deep\\"", hex: "#14212b", cmyk: [85, 65, 50, 70], pms: 5395 C, pms2: 5395 U, ral: 5004, inks: { HKS: 13 K, TOYO: 0123 }, group: Core, use: "=Text", on: [paper, mist], proportion: 22 }
- { name: Paper, hex: "#faf7f2", inks: { =DIC: =F12, HKS: 81 K }, tintOf: ink-deep }
- { name: Mist, hex: "#edf0f2" }
`,
  })
  const columns = ['id', ...colorColumns(() => false)].flatMap(column =>
    column === 'inks' ? ['HKS', 'TOYO', "'=DIC"] : column,
  )
  assert.match(`${columns}`, /^id,name,hex,rgb,cmyk,pms,pms2,ral,HKS,TOYO,'=DIC,group,use,on,proportion,tintOf$/)
  const print = { cmyk: '"85,65,50,70"', pms: '5395 C', pms2: '5395 U', ral: '5004', HKS: '13 K', TOYO: '0123' }
  const ink = { id: 'ink-deep', name: '"Ink, ""deep"""', hex: '#14212b', rgb: '"20,33,43"', ...print }
  const notes = { group: 'Core', use: "'=Text", on: '"paper, mist"', proportion: '22' }
  const rows: Readonly<Record<string, string>>[] = [
    { ...ink, ...notes },
    {
      id: 'paper',
      name: 'Paper',
      hex: '#faf7f2',
      rgb: '"250,247,242"',
      "'=DIC": "'=F12",
      HKS: '81 K',
      tintOf: 'ink-deep',
    },
    { id: 'mist', name: 'Mist', hex: '#edf0f2', rgb: '"237,240,242"' },
  ]
  const lines = rows.map(row => columns.map(column => row[column] ?? ''))
  assert.equal(onlyText(made), [columns, ...lines, ''].join('\r\n'))
})

test('colors.csv has a column for values on dark grounds if a colour has one, and init reads it back', async () => {
  const made = await exported(temporary, 'csv', {
    'styles/colors.yaml':
      '- { name: Ink, hex: "#14212b", inks: { HKS: 13 K }, dark: { rgb: [138, 184, 238] } }\n- { name: Paper, hex: faf7f2 }\n',
  })
  const text = onlyText(made)
  assert.match(text, /,tintOf,dark\r\nink,.*,#8ab8ee\r\npaper,.*,\r\n$/)
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

test('types.csv has a row for each type style, and negative numbers remain numbers', async () => {
  const made = await exported(temporary, 'csv-types', {
    'styles/types.yaml': `- { name: -Body, family: Acme, fallback: [Helvetica Neue, "A, B"], size: 16, weight: SemiBold, style: italic, leading: 1.5, tracking: -0.02, casing: uppercase, spacing: 0.5, responsive: true, features: { zero: 1, liga: 0 }, axes: { SOFT: 100, slnt: -7.5 }, sample: "+1" }
- { name: Plain }
`,
  })
  assert.equal(
    onlyText(made),
    [
      'id,name,family,fallback,size,weight,style,leading,tracking,casing,spacing,responsive,features,axes,sample',
      `body,'-Body,Acme,"Helvetica Neue, ""A, B""",16,600,italic,1.5,-0.02,uppercase,0.5,true,"liga=0, zero=1","SOFT=100, slnt=-7.5",'+1`,
      'plain,Plain,,,,,,,,none,,false,,,',
      '',
    ].join('\r\n'),
  )
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

test('styles.json has every authored value of colours and type styles', async () => {
  const made = await exported(temporary, 'json', {
    'styles/colors.yaml': `- name: "Blue \\"1\\""
  hex: "#1D70B8"
  cmyk: [84, 39, 0, 28]
  pms: 285 C
  pms2: 2172 U
  ral: 5015
  group: Core
  use: links
- { name: __proto__, hex: "#000", on: [blue-1], proportion: 10, tintOf: blue-1 }
`,
    'styles/types.yaml': `- { name: Body, size: 16, leading: 1.5, weight: SemiBold, style: italic, fallback: [serif], sample: Hi, features: { tnum: 1 } }
`,
  })
  const { name, revision, snapshot, colors, types } = JSON.parse(onlyText(made))
  assert.equal(name, 'Acme – guide')
  assert.equal(revision, 1)
  assert.match(snapshot, /^[0-9a-f]{64}$/)
  assert.deepEqual(colors, [
    {
      id: 'blue-1',
      name: 'Blue "1"',
      rgb: '29,112,184',
      cmyk: '84,39,0,28',
      hex: '#1d70b8',
      pms: '285 C',
      pms2: '2172 U',
      ral: 5015,
      group: 'Core',
      use: 'links',
    },
    { id: 'proto', name: '__proto__', rgb: '0,0,0', hex: '#000000', on: ['blue-1'], proportion: 10, tintOf: 'blue-1' },
  ])
  assert.deepEqual(types, [
    {
      id: 'body',
      name: 'Body',
      size: 16,
      leading: 1.5,
      casing: 'none',
      responsive: false,
      features: { tnum: 1 },
      weight: 600,
      style: 'italic',
      fallback: ['serif'],
      sample: 'Hi',
    },
  ])
})

test('a brand without styles has empty lists', async () => {
  const made = JSON.parse(onlyText(await exported(temporary, 'json', { 'pages/index.md': '# Home\n' })))
  assert.deepEqual([made.colors, made.types], [[], []])
})
