import assert from 'node:assert/strict'
import test from 'node:test'
import { converted, readSource, stylesOf } from '#test/support/converted.ts'
import { golden } from '#test/support/golden.ts'
import { fc, forAll } from '#test/support/random.ts'

test('any cell round-trips unchanged, even one that looks like a formula', async () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .map(text => `x${text}`)
    .filter(text => text === text.trim() && !/\p{Cc}/u.test(text))
  const pms = fc.constantFrom('=1+1', '+1', '-1', '@x', '285 C', '"', "'", ',;\t.')
  await forAll([name, pms, fc.constantFrom(',', ';', '\t')], (name, pms, sign) => {
    const cell = (text: string) => `"${(/^[=+\-@]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
    const read = readSource(
      new TextEncoder().encode(`name${sign}hex${sign}pms\n${[name, '#000', pms].map(cell).join(sign)}\n`),
    )
    assert.ok(read.ok)
    const [color] = read.value.colors
    assert.deepEqual([color?.name, color?.fields.get('pms')], [name, pms])
  })
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
  assert.deepEqual(
    colors.map(({ id }) => id),
    ['ink'],
  )
})

golden('adopt/conversion/palettes/csv', stylesOf)
