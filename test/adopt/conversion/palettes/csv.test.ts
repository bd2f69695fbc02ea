import assert from 'node:assert/strict'
import test from 'node:test'

import { converted, readSource } from '../../../support/converted.ts'
import { fc } from '../../../support/random.ts'

test('each row of a table is a colour, with quotes, line breaks, semicolons and other column names', () => {
  const styles = converted(
    '\ufeffColour name;HEX code;Pantone;C;M;Y;K;RAL;Usage;Shop\r\n"Deep ""Blue""";#1D70B8;285 C;84;39;0;28 %;RAL 5015;"For\r\nlinks";7\r\nInk;000000;;;;;;;;\r\n\r\nRed;;;0;99;100;0;;;\r\n;#fff;;;;;;;;\r\nBad;#12;;;;;;;;;;\r\n',
  )
  assert.deepEqual(styles.colors, [
    {
      id: 'deep-blue',
      name: 'Deep "Blue"',
      rgb: '29,112,184',
      cmyk: '84,39,0,28',
      hex: '#1d70b8',
      pms: '285 C',
      ral: 5015,
      use: 'For links',
    },
    { id: 'ink', name: 'Ink', rgb: '0,0,0', hex: '#000000' },
  ])
  assert.deepEqual(styles.notes, [
    '"Shop": unknown column; left out',
    '"row 5": has no name; left out',
    '"row 6": has more cells than the table has columns; the extra ones are left out',
    '"Deep \\"Blue\\"": has text that is too long or has control characters; shortened or cleaned',
    '"Bad": "hex" is "#12"; write # and three or six hex digits in quotes, as in "#1d70b8"; left out',
    '"Red": has no value for screens (cmyk 0,99,100,0); left out: add it with its hex to styles/colors.yaml',
    '"Bad": has no value for screens; left out: add it with its hex to styles/colors.yaml',
  ])
})

test('a cell that is a word for no value is none, is told, and gives way to another column', () => {
  const styles = converted(
    'name,hex,pantone,PMS C,hks,ral,use\nX,#0b4f6c,n/a,285 C,-,n/a,none\nB,#ff6f59,—,,13 K,RAL 3022 (Lachsrot),x\n',
  )
  assert.deepEqual(styles.colors, [
    { id: 'x', name: 'X', rgb: '11,79,108', hex: '#0b4f6c', pms: '285 C', use: 'none' },
    { id: 'b', name: 'B', rgb: '255,111,89', hex: '#ff6f59', ral: 3022, inks: { hks: '13 K' }, use: 'x' },
  ])
  assert.deepEqual(styles.notes, [
    '"X": "hks" of "inks" is "-", which is no value; remove it; left out',
    '"X": "ral" is "n/a", which is no value; remove it; left out',
    '"B": "pms" is "—", which is no value; remove it; left out',
  ])
})

test('columns of ink systems become inks: in an export of a guide those after ral, elsewhere only usual ones', () => {
  const own = converted(
    "id,name,hex,rgb,cmyk,pms,pms2,ral,Spot,'=DIC,HKS,group,use,on,proportion,tintOf\r\nred,Red,#cc2211,,,,,,a,'=F12,,Core,,,,\r\nink,Ink,#000000,,,,,,,,,,,,,\r\n",
  )
  assert.deepEqual(own.colors, [
    { id: 'red', name: 'Red', rgb: '204,34,17', hex: '#cc2211', inks: { Spot: 'a', '=DIC': '=F12' }, group: 'Core' },
    { id: 'ink', name: 'Ink', rgb: '0,0,0', hex: '#000000' },
  ])
  assert.deepEqual(own.notes, [])
  const other = converted('Name;Hex;HKS K;toyo;NCS;RAL Design;WCAG\nRed;#c21;13 K;0123;;240 40 40;AA\n')
  assert.deepEqual(other.colors[0]?.inks, { 'HKS K': '13 K', toyo: '0123', 'RAL Design': '240 40 40' })
  assert.deepEqual(other.notes, ['"WCAG": unknown column; left out'])
})

test('each row of a table of type styles is a type style', () => {
  const { types } = converted(
    'id,name,family,size,weight,tracking,responsive,features,axes,fallback\nh1,Heading,Inter,40,SemiBold,\'-0.02,true,"tnum 1, liga 0","SOFT=100, slnt=-7.5","Arial,serif"\n',
  )
  assert.deepEqual(types, [
    {
      id: 'h1',
      name: 'Heading',
      family: 'Inter',
      size: 40,
      tracking: -0.02,
      casing: 'none',
      responsive: true,
      features: { tnum: 1, liga: 0 },
      axes: { SOFT: 100, slnt: -7.5 },
      weight: 600,
      fallback: ['Arial', 'serif'],
    },
  ])
})

test('tables are read as spreadsheets and printers write them', () => {
  const cmyk = '90.5,45.25,25,30'
  for (const [text, values] of [
    ['sep=;\r\nName;HEX;C;M;Y;K\r\nSea;#0B4F6C;90,5;45,25;25;30\r\n', { cmyk }],
    ['\ufeffName\tHEX\tC %\tM %\tJ %\tN %\nSea\t#0B4F6C\t90,5 %\t45,25 %\t25 %\t30 %\n', { cmyk }],
    ['Name;HEX Code;CMYK Value\nSea;0B4F6C;C90,5 M45,25 Y25 K30\n', { cmyk }],
    ['Name;HEX;CMYK Values\nSea;0B4F6C;90,5/45,25/25/30\n', { cmyk }],
    ['Name;HEX;CMYK\nSea;0B4F6C;90,45,25,30\n', { cmyk: '90,45,25,30' }],
    ['Name,HEX,CMYK\nSea,0B4F6C,"cmyk(90%, 45%, 25%, 30%)"\n', { cmyk: '90,45,25,30' }],
    ['Name,RGB Value,PMS C,PMS U\nSea,R11 G79 B108,3025 C,3025 U\n', { pms: '3025 C', pms2: '3025 U' }],
    ['Name,RGB,Pantone Solid Uncoated\nSea,11/79/108,3025 U\n', { pms2: '3025 U' }],
    ['Name,RGB,Pantone (PMS),RAL Number\nSea,"rgb(11, 79, 108)",3025 C,5015\n', { pms: '3025 C', ral: 5015 }],
    ['Name,HEX,CMYK\nSea,0B4F6C,"90,5/45,25/25/30"\n', { cmyk }],
    ['Nom de la couleur,Hexadécimal,C,M,J,N\nSea,0B4F6C,"90,5","45,25",25,30\n', { cmyk }],
    ['Name;RVB;Proportion\nSea;11/79/108;12,5 %\n', { proportion: 12.5 }],
  ] as const) {
    const { colors, notes } = converted(text)
    assert.deepEqual(colors, [{ id: 'sea', name: 'Sea', rgb: '11,79,108', hex: '#0b4f6c', ...values }], text)
    assert.deepEqual(notes, [])
  }
})

test('a title above the table, a second value and inks as shares of 1 are reported', () => {
  const { colors, notes } = converted(
    'Brand colours 2026;;;\n;;;\nName;HEX;C;M;Y;K;Pantone;PMS C\nSea;#0B4F6C;0,9;0,45;0,25;0,3;3025 C;3025 CP\n\n;#000;;;;;;\n',
  )
  assert.deepEqual(colors, [{ id: 'sea', name: 'Sea', rgb: '11,79,108', hex: '#0b4f6c', pms: '3025 C' }])
  assert.deepEqual(notes, [
    '"Brand colours 2026": a line above the table; left out',
    '"3025 CP": is a second value for "pms"; left out',
    '"row 4": has no name; left out',
    '"Sea": "cmyk" is "0.9,0.45,0.25,0.3", which looks like shares of 1, and is left out; write per cent, 0 to 100, as in "84,39,0,28"',
  ])
})

test('a colour with only some of the values of CMYK or RGB gets none of them, with a note', () => {
  const { colors, notes } = converted('Name;HEX;C;M;Y;K;R;G;B\nSea;#0B4F6C;90;45;;;11;;\n')
  assert.deepEqual(colors, [{ id: 'sea', name: 'Sea', rgb: '11,79,108', hex: '#0b4f6c' }])
  assert.deepEqual(notes, [
    '"row 2": has only 1 of the 3 values of "rgb"; left out',
    '"row 2": has only 2 of the 4 values of "cmyk"; left out',
  ])
})

test('an invalid table fails with the line of its problem', () => {
  const read = readSource(new TextEncoder().encode('name,hex\n"Blue,#1d70b8\n'))
  assert.ok(!read.ok)
  assert.match(read.problem.message, /^is not a table of comma-separated values: .* at line 2$/)
})

test('any cell round-trips unchanged, even one that looks like a formula', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .map(text => `x${text}`)
    .filter(text => text === text.trim() && !/\p{Cc}/u.test(text))
  const pms = fc.constantFrom('=1+1', '+1', '-1', '@x', '285 C', '"', "'", ',;\t.')
  fc.assert(
    fc.property(name, pms, fc.constantFrom(',', ';', '\t'), (name, pms, sign) => {
      const cell = (text: string) => `"${(/^[=+\-@]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
      const read = readSource(
        new TextEncoder().encode(`name${sign}hex${sign}pms\n${[name, '#000', pms].map(cell).join(sign)}\n`),
      )
      assert.ok(read.ok)
      const [color] = read.value.colors
      assert.deepEqual([color?.name, color?.fields.get('pms')], [name, pms])
    }),
  )
})

test('a table of 250,000 columns fails with the maximum', () => {
  const wide = `name,hex,${Array.from({ length: 249_998 }, (_, at) => `column ${at}`).join(',')}\nInk,#112233\n`
  const message = 'has 250,000 columns, but a table may have at most 1,000; keep only the columns with style values'
  assert.deepEqual(readSource(new TextEncoder().encode(wide)), {
    ok: false,
    problem: { kind: 'damaged', message },
  })
})

test('a table of 1,000 columns is read', () => {
  const columns = Array.from({ length: 998 }, (_, at) => `column ${at}`)
  const { colors } = converted(`name,hex,${columns.join(',')}\nInk,#112233\n`)
  const ids = colors.map(({ id }) => id)
  assert.deepEqual(ids, ['ink'])
})
