import assert from 'node:assert/strict'
import test from 'node:test'

import { converted, readSource } from '../../support/converted.ts'
import { fc } from '../../support/random.ts'

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

test('columns of ink systems become inks: in an export of a guide those after ral, elsewhere only usual ones', () => {
  const own = converted(
    "id,name,hex,rgb,cmyk,pms,pms2,ral,Spot,'=DIC,HKS,group,use,on,proportion,tintOf\r\nred,Red,#cc2211,,,,,,a,'=F12,,Core,,,,\r\nink,Ink,#000000,,,,,,,,,,,,,\r\n",
  )
  assert.deepEqual(own.colors, [
    { id: 'red', name: 'Red', rgb: '204,34,17', hex: '#cc2211', inks: { Spot: 'a', '=DIC': '=F12' }, group: 'Core' },
    { id: 'ink', name: 'Ink', rgb: '0,0,0', hex: '#000000' },
  ])
  assert.deepEqual(own.notes, [])
  const other = converted('Name;Hex;HKS K;toyo;NCS;WCAG\nRed;#c21;13 K;0123;;AA\n')
  assert.deepEqual(other.colors[0]?.inks, { 'HKS K': '13 K', toyo: '0123' })
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
  const start = performance.now()
  assert.deepEqual(readSource(new TextEncoder().encode(wide)), {
    ok: false,
    problem: { kind: 'damaged', message },
  })
  assert.ok(performance.now() - start < 2000)
})

test('a table of 1,000 columns is read', () => {
  const columns = Array.from({ length: 998 }, (_, at) => `column ${at}`)
  const { colors } = converted(`name,hex,${columns.join(',')}\nInk,#112233\n`)
  const ids = colors.map(({ id }) => id)
  assert.deepEqual(ids, ['ink'])
})
