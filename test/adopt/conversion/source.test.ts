import assert from 'node:assert/strict'
import test from 'node:test'

import { readSources } from '#adopt/conversion/source.ts'
import { converted, convertedFiles, namesAndHexes, readSource } from '../../support/converted.ts'
import { fc, scale } from '../../support/random.ts'

const UTF8 = new TextEncoder()

test('the bytes of a file determine its format, with or without a byte order mark', () => {
  const gpl = 'GIMP Palette\r\nName: Acme\r\n29 112 184\tBlue\r\n'
  const json = '{ "blue": { "$type": "color", "$value": "#1d70b8" } }'
  const csv = 'name,hex\nBlue,1d70b8\n'
  for (const text of [gpl, json, csv])
    for (const bytes of [UTF8.encode(text), UTF8.encode(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, 'utf16le')])
      assert.match(namesAndHexes(converted(bytes)).join(), /^blue #1d70b8$/i)
})

test('a file of an unknown format fails with the supported formats', () => {
  for (const [bytes, why] of [
    [
      UTF8.encode('# Words\n'),
      /^has an unknown format; supported formats: .*Design Tokens 2025\.10.*\.tokens and \.jsonc.*\.aco, \.ase, \.gpl, and \.csv/,
    ],
    [UTF8.encode(' \n'), /^is empty; supported formats/],
    [Buffer.from('89504e470d0a1a0a', 'hex'), /^is neither a palette nor UTF-8 text; supported formats/],
    [UTF8.encode('name,size in the shop\nBlue,2\n'), /^has an unknown format/],
  ] as const) {
    const read = readSource(bytes)
    assert.ok(!read.ok && read.problem.kind === 'unknown')
    assert.match(read.problem.message, why)
  }
})

test('damaged JSON, and JSON without a token, fail with the problem', () => {
  for (const [text, why] of [
    ['{ "a": ', /^is not JSON: /],
    ['[]', /^has no design token: it is a list$/],
    ['{}', /^has no design token: none of its objects outside lists has a "\$value"/],
    [`${'{"a":'.repeat(201)}1${'}'.repeat(201)}`, /^is nested more than 200 deep/],
    ['['.repeat(1_000_000), /^is not JSON: /],
  ] as const) {
    const read = readSource(UTF8.encode(text))
    assert.ok(!read.ok && read.problem.kind !== 'unknown')
    assert.match(read.problem.message, why)
  }
})

test('keys keep the order of the file and have no special meaning in JavaScript', () => {
  const styles = converted(
    '{ "z": {"$type":"color","$value":"#111"}, "900": {"$type":"color","$value":"#222"}, "50": {"$type":"color","$value":"#333"}, "__proto__": {"$type":"color","$value":"#444"}, "constructor": {"$type":"color","$value":"#555"}, "z": {"$type":"color","$value":"#666"} }',
  )
  assert.deepEqual(namesAndHexes(styles), [
    'z #666666',
    '900 #222222',
    '50 #333333',
    '__proto__ #444444',
    'constructor #555555',
  ])
  assert.deepEqual(styles.notes, ['"z": occurs twice in one object; the last value counts'])
})

test('colours and type styles in exports and replies are read unchanged', () => {
  const colors = [
    { id: 'blue', name: 'Blue', rgb: '29,112,184', cmyk: '84,39,0,28', hex: '#1d70b8', pms: '285 C', ral: 5015 },
    { id: 'sky', name: 'Sky', rgb: '0,0,0', hex: '#000000', on: ['blue'], proportion: 10, tintOf: 'blue' },
  ]
  const types = [
    { id: 'text', name: 'Body', size: 16, casing: 'none', responsive: false, features: { tnum: 1 }, weight: 600 },
  ]
  const styles = converted({ name: 'Acme', colors, types })
  assert.deepEqual(styles, { colors, types, notes: [] })
})

test('lists of styles may have unknown keys and entries next to them, which are reported', () => {
  const { colors, notes } = converted({
    revision: 2,
    colors: [{ name: 'Ink', hex: '#000' }, 5],
    types: { body: 16 },
    constructor: 1,
    spacing: [4, 8],
  })
  assert.equal(colors.length, 1)
  assert.deepEqual(notes, [
    '"types", "constructor", "spacing": is not read; left out',
    '"entry 2": is not a style with a name; left out',
  ])
})

test('palette lines become colours, and a colour without a name is named by its hex', () => {
  const styles = converted(
    'GIMP Palette\r\nName: Acme\r\nColumns: 0\r\n# About\r\n\r\n 29 112 184\tDeep  Blue\r\n  0   0   0   Ink\r\n255 255 255\r\n1 2 3\tUntitled\r\n',
  )
  assert.deepEqual(namesAndHexes(styles), ['Deep  Blue #1d70b8', 'Ink #000000', '#ffffff #ffffff', '#010203 #010203'])
  assert.deepEqual(styles.notes, ['"About": a comment; left out'])
})

test('a palette with the channels RGBA has its opaque colours', () => {
  const styles = converted(
    'GIMP Palette\nChannels: RGBA\n29 112 184 255\tBlue\n0 0 0 255\n1 2 3 128\tGlass\n1 2 3\tFour\n',
  )
  assert.deepEqual(namesAndHexes(styles), ['Blue #1d70b8', '#000000 #000000'])
  assert.deepEqual(styles.notes, [
    '"Glass": is not opaque, but guide colours must be opaque; left out',
    '"line 6": is not four numbers from 0 to 255 and a name; left out',
  ])
})

test('text in another encoding fails with the one to save it in', () => {
  const read = readSource(Buffer.from('Name;Hex;Use\nGr\u00fcn;#2c5a4a;Fl\u00e4chen\n', 'latin1'))
  const message = 'is text, but not UTF-8; save it as "CSV UTF-8" or as UTF-8, and try again'
  assert.deepEqual(read, { ok: false, problem: { kind: 'damaged', message } })
})

test('no text value makes a reader fail', () => {
  const words =
    'translate(10px) rgb( ) , { } {a} {a.b} #/ #1d70b8 none 1e999 % deg lab( color( color-mix( 16px - " cmyk('.split(
      ' ',
    )
  const value = fc.array(fc.constantFrom(...words), { maxLength: 5 }).map(parts => parts.join(' '))
  fc.assert(
    fc.property(value, fc.constantFrom('color', 'typography', 'dimension', 'fontFamily'), (text, $type) => {
      const object = { colorSpace: text, components: [text, 0, 'none'], alpha: text, hex: text, fontSize: text }
      for (const $value of [text, object, [text]]) converted({ a: { $type, $value }, b: { value: text, name: text } })
      readSource(UTF8.encode(`name,hex,rgb,cmyk\n${text},${text},"${text}","${text}"\n`))
      readSource(UTF8.encode(`GIMP Palette\n${text}\n`))
    }),
    { numRuns: scale(100) },
  )
})

test('a line that is not a colour is reported', () => {
  const styles = converted('GIMP Palette\n1 2\n300 0 0\tBright\n1 2 3\tGood\n-1 0 0\n')
  assert.deepEqual(namesAndHexes(styles), ['Good #010203'])
  assert.deepEqual(styles.notes, [
    '"line 2", "line 3", "line 5": is not three numbers from 0 to 255 and a name; left out',
  ])
})

test('palettes of JASC and lists of hex values are read, and a hex file of a program is not one', () => {
  const jasc = convertedFiles([['a.pal', 'JASC-PAL\r\n0100\r\n2\r\n11 79 108\r\n255 111 89\r\n']])
  assert.deepEqual([namesAndHexes(jasc), jasc.notes], [['#0b4f6c #0b4f6c', '#ff6f59 #ff6f59'], []])
  const withAlpha = convertedFiles([['a.pal', 'JASC-PAL\n0100\n2\n11 79 108 255\n1 2 3 128\n']])
  assert.deepEqual(namesAndHexes(withAlpha), ['#0b4f6c #0b4f6c'])
  assert.deepEqual(withAlpha.notes, ['"line 5": is not opaque, but guide colours must be opaque; left out'])
  const hexes = convertedFiles([['a.hex', '0b4f6c\n#FF6F59\n\nzzz\n']])
  assert.deepEqual(namesAndHexes(hexes), ['#0b4f6c #0b4f6c', '#FF6F59 #ff6f59'])
  assert.match(hexes.notes.join(), /^"zzz": has no value for screens/)
  const commented = convertedFiles([['a.hex', '; Quay\n0b4f6c\n// Warm\nff6f59\n']])
  assert.deepEqual(namesAndHexes(commented), ['#0b4f6c #0b4f6c', '#ff6f59 #ff6f59'])
  assert.deepEqual(commented.notes, ['"Quay", "Warm": a comment; left out'])
  const [program] = readSources([{ path: 'a.hex', bytes: UTF8.encode(':10010000214601\n:00000001FF\n') }])
  assert.equal(program?.ok, false)
})

test('tokens may be in .tokens, and in .jsonc with comments and commas before brackets', () => {
  const text = `// "colours
{ "sea": { "$type": "color", "$value": "#123456", "$description": "as on // walls, ]" }, /* not // now */
  "ink": { "$type": "color", "$value": "#14212b", }, // last
}`
  const styles = convertedFiles([
    ['a.jsonc', text],
    ['b.tokens', '{"red": {"$type": "color", "$value": "#ff0000"}}'],
  ])
  assert.deepEqual(namesAndHexes(styles), ['sea #123456', 'ink #14212b', 'red #ff0000'])
  assert.equal(styles.colors[0]?.use, 'as on // walls, ]')
})

test('a hex of digits alone is a colour in YAML, and a list of colours may use the words of a table', () => {
  const yaml = convertedFiles([['a.yaml', 'colors:\n  flat: 112233\n  zero: 000000\n']])
  assert.deepEqual([namesAndHexes(yaml), yaml.notes], [['flat #112233', 'zero #000000'], []])
  const list = convertedFiles([
    ['a.json', '{"colors": [{"name": "Ok", "hex": "#445566", "pantone": "286 C", "HKS": "41 K"}]}'],
  ])
  assert.deepEqual([list.colors[0]?.pms, list.colors[0]?.inks, list.notes], ['286 C', { HKS: '41 K' }, []])
})

test('a group of colours may be called color in JSON, too', () => {
  const styles = convertedFiles([['a.json', '{"color": {"internal": {"neutrals": {"darkest": "#1E1E1E"}}}}']])
  assert.deepEqual(namesAndHexes(styles), ['neutrals darkest #1e1e1e'])
})
