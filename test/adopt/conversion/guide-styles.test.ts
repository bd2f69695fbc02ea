import assert from 'node:assert/strict'
import test from 'node:test'
import { guideStyles } from '#adopt/conversion/guide-styles.ts'
import { colorsYaml, typesYaml } from '#adopt/conversion/style-files.ts'
import { readColors } from '#intake/styles/colors.ts'
import { readTypes } from '#intake/styles/types.ts'
import { stylesOf } from '#test/support/converted.ts'
import { golden } from '#test/support/golden.ts'
import { converted } from '../../support/converted.ts'
import { codePoint, fc, forAll } from '../../support/random.ts'

test('a name without a valid id gets one', () => {
  const long = 'x'.repeat(300)
  const styles = converted(
    `name,hex\n🔥,#000\n\u0000\u0007,#001\n${long},#002\n${long}y,#003\n${'é '.repeat(2000)},#004\n`,
  )
  const lengths = styles.colors.map(({ id, name }) => `${id.length} ${[...name].length}`)
  assert.deepEqual(lengths, ['7 1', '9 7', '180 300', '182 301', '179 999'])
  assert.deepEqual(readColors(colorsYaml(styles.colors)).problems, [])
})

test('more styles than a guide may have are rejected', () => {
  const colors = Array.from({ length: 10_001 }, (_, at) => ({ name: `${at}`, fields: new Map() }))
  assert.deepEqual(guideStyles([{ colors, types: [], notes: new Map() }]), {
    ok: false,
    problem: 'there are 10001 colours, but a guide may have at most 10000; split the file',
  })
})

test('a list that is larger than a styles file may be is refused', () => {
  const [color] = converted('name,hex\nInk,#000\n').colors
  const colors = Array.from({ length: 5000 }, () => ({ ...(color ?? assert.fail()), use: 'x'.repeat(1000) }))
  assert.throws(() => colorsYaml(colors), { message: /^styles\/colors\.yaml would have more than 4 MiB: / })
})

test('styles converted from any names and values are valid style files', async () => {
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 40 }),
    fc.constantFrom(
      ...'null·true·0123·1e5·.inf·- x·# x·&a·*a·!t·{a: 1}·[·\'·"·|·>·%·@·`·? x·a: b·~·<<·\ud800'.split('·'),
    ),
  )
  const number = fc.double({ noNaN: true, min: -10, max: 2e6 })
  const color = fc.record(
    {
      id: text,
      name: text,
      hex: fc.constantFrom('#000', '#1d70b8', 'nope'),
      cmyk: text,
      pms: text,
      ral: text,
      group: text,
      use: text,
      on: fc.array(text),
      proportion: number,
      tintOf: text,
    },
    { requiredKeys: ['name'] },
  )
  const type = fc.record(
    {
      id: text,
      name: text,
      family: text,
      size: number,
      leading: number,
      tracking: number,
      spacing: number,
      fallback: fc.array(text),
      features: fc.dictionary(fc.oneof(text, fc.constantFrom('tnum', '1234', 'on  ')), fc.nat(9)),
      sample: text,
      casing: text,
    },
    { requiredKeys: ['name'] },
  )
  await forAll([fc.array(color), fc.array(type)], (colors, types) => {
    const styles = converted({ colors, types })
    const read = readColors(colorsYaml(styles.colors))
    assert.deepEqual([read.problems, read.colors], [[], styles.colors])
    const readBack = readTypes(typesYaml(styles.types))
    assert.deepEqual([readBack.problems, readBack.types.map(({ style }) => style)], [[], styles.types])
  })
})

golden('adopt/conversion/guide-styles', stylesOf)
