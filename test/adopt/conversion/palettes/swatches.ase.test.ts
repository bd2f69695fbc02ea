import assert from 'node:assert/strict'
import test from 'node:test'

import { converted, namesAndHexes, readSource } from '../../../support/converted.ts'
import { golden } from '../../../support/golden.ts'
import { fc } from '../../../support/random.ts'
import { swatchFile, type TestSwatch } from '../../../support/swatches.ts'

const BLUE = { name: 'Blue', model: 'RGB ', values: [29 / 255, 112 / 255, 184 / 255] }

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

golden('adopt/conversion/palettes/swatches.ase', ({ groups }: { groups: Readonly<Record<string, TestSwatch[]>> }) =>
  converted(swatchFile(groups)),
)
