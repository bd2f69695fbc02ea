import assert from 'node:assert/strict'
import test from 'node:test'
import { converted, namesAndHexes, readSource, stylesOf } from '#test/support/converted.ts'
import { golden } from '#test/support/golden.ts'
import { fc, forAllIn } from '#test/support/random.ts'

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
      /^has an unknown format; supported formats: .*Design Tokens 2025\.10.*\.tokens and \.jsonc.*\.aco, \.ase, \.gpl, .*, and \.csv/,
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

test('text in another encoding fails with the one to save it in', () => {
  const read = readSource(Buffer.from('Name;Hex;Use\nGr\u00fcn;#2c5a4a;Fl\u00e4chen\n', 'latin1'))
  const message = 'is text, but not UTF-8; save it as "CSV UTF-8" or as UTF-8, and try again'
  assert.deepEqual(read, { ok: false, problem: { kind: 'damaged', message } })
})

test('no text value makes a reader fail', async () => {
  const words =
    'translate(10px) rgb( ) , { } {a} {a.b} #/ #1d70b8 none 1e999 % deg lab( color( color-mix( 16px - " cmyk('.split(
      ' ',
    )
  const value = fc.array(fc.constantFrom(...words), { maxLength: 5 }).map(parts => parts.join(' '))
  await forAllIn(100, [value, fc.constantFrom('color', 'typography', 'dimension', 'fontFamily')], (text, $type) => {
    const object = { colorSpace: text, components: [text, 0, 'none'], alpha: text, hex: text, fontSize: text }
    for (const $value of [text, object, [text]]) converted({ a: { $type, $value }, b: { value: text, name: text } })
    readSource(UTF8.encode(`name,hex,rgb,cmyk\n${text},${text},"${text}","${text}"\n`))
    readSource(UTF8.encode(`GIMP Palette\n${text}\n`))
  })
})

golden('adopt/conversion/source', stylesOf)
