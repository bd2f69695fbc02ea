import assert from 'node:assert/strict'
import test from 'node:test'

import { converted, namesAndHexes, readSource } from '../../../support/converted.ts'
import { fc } from '../../../support/random.ts'
import { swatchFile } from '../../../support/swatches.ts'

const BLUE = { name: 'Blue', model: 'RGB ', values: [29 / 255, 112 / 255, 184 / 255] }

test('swatches become colours in their groups, and print-only ones are reported with their values', () => {
  const styles = converted(
    swatchFile({
      '': [{ name: 'Grey', model: 'Gray', values: [0.5] }],
      Brand: [
        BLUE,
        { name: 'PANTONE 285 C', model: 'RGB ', values: [0, 0.4, 0.8], kind: 'spot' },
        { name: 'Rich Black', model: 'CMYK', values: [0.6, 0.4, 0.4, 1], kind: 'normal' },
        { name: 'PANTONE 1 U', model: 'LAB ', values: [0.5, 10, -20], kind: 'spot' },
        { name: 'Proof', model: 'LAB ', values: [0.5, 120, -120] },
        { name: 'Odd', model: 'LAB ', values: [50, 10, -20] },
        { name: 'Glow', model: 'RGB ', values: [1.5, 0, 0] },
      ],
    }),
  )
  assert.deepEqual(styles.colors, [
    { id: 'grey', name: 'Grey', rgb: '128,128,128', hex: '#808080' },
    { id: 'blue', name: 'Blue', rgb: '29,112,184', hex: '#1d70b8', group: 'Brand' },
    { id: 'pantone-285-c', name: 'PANTONE 285 C', rgb: '0,102,204', hex: '#0066cc', pms: '285 C', group: 'Brand' },
    { id: 'pantone-1-u', name: 'PANTONE 1 U', rgb: '123,114,153', hex: '#7b7299', pms: '1 U', group: 'Brand' },
    { id: 'proof', name: 'Proof', rgb: '187,71,255', hex: '#bb47ff', group: 'Brand' },
  ])
  assert.deepEqual(styles.notes, [
    '"Proof (#bb47ff)": sRGB cannot show this; mapped to the nearest colour that it can show (CSS Color 4 §13)',
    '"Odd": has only a "LAB" value (50, 10, -20) and none for screens; left out',
    '"Glow": has RGB values outside 0 to 1; left out',
    '"Rich Black": has no value for screens (cmyk 60,40,40,100); left out: add it with its hex to styles/colors.yaml',
  ])
})

test('swatches with the same name in the groups screen, print and spot become one colour', () => {
  const cmyk = [0.84, 0.39, 0, 0.285]
  const styles = converted(
    swatchFile({
      screen: [BLUE, { name: 'Sky', model: 'RGB ', values: [1, 1, 1] }],
      print: [{ name: 'Blue', model: 'CMYK', values: cmyk }],
      spot: [
        { name: 'PANTONE 285 C', model: 'CMYK', values: cmyk, kind: 'spot' },
        { name: 'PANTONE 285 U', model: 'CMYK', values: cmyk, kind: 'spot' },
        { name: 'PANTONE 1 C', model: 'RGB ', values: [1, 1, 1], kind: 'spot' },
        { name: 'HKS 41 K', model: 'CMYK', values: cmyk, kind: 'spot' },
      ],
    }),
  )
  assert.deepEqual(styles, {
    colors: [
      {
        id: 'blue',
        name: 'Blue',
        rgb: '29,112,184',
        cmyk: '84,39,0,28.5',
        hex: '#1d70b8',
        pms: '285 C',
        pms2: '285 U',
      },
      { id: 'sky', name: 'Sky', rgb: '255,255,255', hex: '#ffffff', pms: '1 C' },
    ],
    types: [],
    notes: [
      '"screen", "print", "spot": a group of an export, which says how its colours are made; their groups stay empty',
      '"HKS 41 K": is an ink of another system; left out: write it under "inks" of "Blue"',
    ],
  })
})

test('groups of other programs called screen, print or spot are groups', () => {
  const styles = converted(
    swatchFile({
      screen: [{ name: 'Sky', model: 'RGB ', values: [1, 1, 1] }],
      print: [BLUE],
      spot: [{ name: 'PANTONE 285 C', model: 'RGB ', values: [0, 0.4, 0.8], kind: 'spot' }],
    }),
  )
  const seen = styles.colors.map(({ name, group, pms }) => [name, group, pms])
  assert.deepEqual(seen, [
    ['Sky', 'screen', undefined],
    ['Blue', 'print', undefined],
    ['PANTONE 285 C', 'spot', '285 C'],
  ])
})

test('a truncated file, or one with lengths past its end, is damaged', () => {
  const whole = swatchFile({ Brand: [BLUE, BLUE] })
  for (let length = 4; length < whole.length; length++) {
    const read = readSource(whole.subarray(0, length))
    assert.ok(!read.ok && read.problem.kind === 'damaged')
    assert.match(read.problem.message, /^is cut short: /)
  }
  const patches: [at: number, value: number, RegExp][] = [
    [8, 0xffffffff, /^is cut short: block 5 of 4294967295/],
    [14, 0xffffffff, /^is cut short: block 1 of 4/],
    [18, 0xffff0000, /^is damaged: the name of group 1 is longer than its block/],
    [38, 0xffff0000, /^is damaged: the colour in block 2 is longer than its block/],
  ]
  for (const [at, value, why] of patches) {
    const bytes = Buffer.from(whole)
    bytes.writeUInt32BE(value, at)
    const read = readSource(bytes)
    assert.ok(!read.ok, `at ${at}`)
    assert.match(read.problem.message, why)
  }
})

test('any bytes after the signature are read or rejected without a fault', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      readSource(Buffer.concat([Buffer.from('ASEF\0\x01\0\0\0\0\0\x02'), bytes]))
    }),
  )
  assert.deepEqual(namesAndHexes(converted(swatchFile({ '': [BLUE] }))), ['Blue #1d70b8'])
})

test('groups nested more than 32 deep fail, since each colour would name all of them', () => {
  const header = Buffer.from([...Buffer.from('ASEF'), 0, 1, 0, 0, 0, 0, 0, 33])
  const group = Buffer.from([0xc0, 0x01, 0, 0, 0, 6, 0, 2, 0, 65, 0, 0])
  assert.deepEqual(readSource(Buffer.concat([header, ...Array.from({ length: 33 }, () => group)])), {
    ok: false,
    problem: { kind: 'damaged', message: 'has groups nested more than 32 deep; flatten them' },
  })
})
