import assert from 'node:assert/strict'
import test from 'node:test'
import { guideStyles } from '#adopt/conversion/guide-styles.ts'
import { colorsYaml, typesYaml } from '#adopt/conversion/style-files.ts'
import { readColors } from '#intake/styles/colors.ts'
import { readTypes } from '#intake/styles/types.ts'
import { converted } from '../../support/converted.ts'
import { codePoint, fc } from '../../support/random.ts'

test('several files each contribute their values to one colour', () => {
  const tokens = { brand: { Blue: { $type: 'color', $value: '#1d70b8', $description: 'Links' } } }
  const styles = converted(
    tokens,
    'name,hex,cmyk,pms\nblue,#1D70B8,"84,39,0,28",285 C\n',
    'GIMP Palette\n29 112 184\tBlue\n',
  )
  assert.deepEqual(styles, {
    colors: [
      {
        id: 'blue',
        name: 'Blue',
        rgb: '29,112,184',
        cmyk: '84,39,0,28',
        hex: '#1d70b8',
        pms: '285 C',
        group: 'brand',
        use: 'Links',
      },
    ],
    types: [],
    notes: [],
  })
})

test('files with different ink systems give one colour with all of them, and another reference is another colour', () => {
  const table = (system: string, reference: string) => `name,hex,${system}\nBlue,#1d70b8,${reference}\n`
  const styles = converted(table('HKS', '41 K'), table('TOYO', '0123'), table('HKS', '13 K'), 'name,NCS\nBlue,S 1\n')
  const seen = styles.colors.map(({ id, inks }) => [id, inks])
  assert.deepEqual(seen, [
    ['blue', { HKS: '41 K', TOYO: '0123', NCS: 'S 1' }],
    ['blue-2', { HKS: '13 K' }],
  ])
})

test('a different colour with the same id is numbered', () => {
  const styles = converted('GIMP Palette\n0 0 0\tInk\n0 0 1\tink!\n0 0 2\tInk\n', 'GIMP Palette\n0 0 3\tInk 2\n')
  const named = styles.colors.map(({ id, name }) => `${id}: ${name}`)
  assert.deepEqual(named, ['ink: Ink', 'ink-2: ink!', 'ink-3: Ink', 'ink-2-2: Ink 2'])
  assert.deepEqual(styles.notes, [
    '"ink! (ink-2)", "Ink (ink-3)": has the same id as a style with other values; it gets a number',
    '"Ink 2 (ink-2-2)": has the same id as a style with other values; it gets a number',
  ])
})

test('a name without a valid id gets one', () => {
  const long = 'x'.repeat(300)
  const styles = converted(
    `name,hex\n🔥,#000\n\u0000\u0007,#001\n${long},#002\n${long}y,#003\n${'é '.repeat(2000)},#004\n`,
  )
  const lengths = styles.colors.map(({ id, name }) => `${id.length} ${[...name].length}`)
  assert.deepEqual(lengths, ['7 1', '9 7', '180 300', '182 301', '179 999'])
  assert.deepEqual(readColors(colorsYaml(styles.colors)).problems, [])
})

test('relations to missing colours are left out', () => {
  const styles = converted({
    colors: [
      { id: 'a', name: 'A', hex: '#000', on: ['b', 'c'], tintOf: 'a' },
      { id: 'b', name: 'B', hex: '#111' },
    ],
  })
  const relations = styles.colors.map(({ on, tintOf }) => ({ on, tintOf }))
  assert.deepEqual(relations, [
    { on: ['b'], tintOf: undefined },
    { on: undefined, tintOf: undefined },
  ])
  assert.deepEqual(styles.notes, [
    '"A": "on" is "c", which is not the id of a colour in styles/colors.yaml; correct it, or remove it; left out',
    '"A": "tintOf" is "a", which is the colour itself; write another, or remove it; left out',
  ])
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

test('styles converted from any names and values are valid style files', () => {
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
  fc.assert(
    fc.property(fc.array(color), fc.array(type), (colors, types) => {
      const styles = converted({ colors, types })
      const read = readColors(colorsYaml(styles.colors))
      assert.deepEqual([read.problems, read.colors], [[], styles.colors])
      const readBack = readTypes(typesYaml(styles.types))
      assert.deepEqual([readBack.problems, readBack.types.map(({ style }) => style)], [[], styles.types])
    }),
  )
})
