import assert from 'node:assert/strict'
import test from 'node:test'
import { converted, namesAndHexes, readSource } from '../../../support/converted.ts'
import { golden } from '../../../support/golden.ts'
import { fc, forAll } from '../../../support/random.ts'
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

test('any bytes after the signature are read or rejected without a fault', async () => {
  await forAll([fc.uint8Array({ maxLength: 200 })], bytes => {
    readSource(Buffer.concat([Buffer.from('ASEF\0\x01\0\0\0\0\0\x02'), bytes]))
  })
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

type Row = readonly [model: number, channels: readonly number[], name: string]

/** A list of Photoshop's swatches, of version 1 or 2. */
function listOf(version: 1 | 2, rows: readonly Row[]): Buffer {
  const words = rows.flatMap(([model, channels, name]) => {
    const plain = [model, ...[0, 1, 2, 3].map(at => channels[at] ?? 0)]
    return version === 1 ? plain : [...plain, 0, name.length + 1, ...[...name].map(each => each.charCodeAt(0)), 0]
  })
  const bytes = Buffer.alloc((words.length + 2) * 2)
  for (const [at, word] of [version, rows.length, ...words].entries()) bytes.writeUInt16BE(word & 0xffff, at * 2)
  return bytes
}

const ROWS: readonly Row[] = [
  [0, [0x0b0b, 0x4f4f, 0x6c6c], 'Harbour'],
  [1, [0x8000, 0xffff, 0x8000], 'Teal'],
  [7, [5000, 1000, -2000], 'PANTONE 1 U'],
  [8, [5000], 'Grey'],
  [2, [0, 0x8000, 0xffff, 0xffff], 'Print'],
  [3, [1, 2, 3, 4], 'PANTONE 285 C'],
]

test('swatches of Photoshop are read in all its screen models, and the others are reported', () => {
  const styles = converted(Buffer.concat([listOf(1, ROWS), listOf(2, ROWS)]))
  assert.deepEqual(namesAndHexes(styles), ['Harbour #0b4f6c', 'Teal #007f80', 'PANTONE 1 U #7b7299', 'Grey #808080'])
  const seen = styles.colors.map(({ pms }) => pms)
  assert.deepEqual(seen, [undefined, undefined, '1 U', undefined])
  assert.deepEqual(styles.notes, [
    '"PANTONE 285 C": has no value for screens (Pantone); left out',
    '"Print": has values only for print (cmyk 100,50,0,0); left out: add it with its hex to styles/colors.yaml',
  ])
})

test('swatches without names are named by their hex, and a list with names may come alone', () => {
  assert.deepEqual(namesAndHexes(converted(listOf(1, ROWS.slice(0, 1)))), ['#0b4f6c #0b4f6c'])
  assert.deepEqual(namesAndHexes(converted(listOf(2, ROWS.slice(0, 1)))), ['Harbour #0b4f6c'])
})

test('swatches that are cut short are damaged, and no bytes are a fault', async () => {
  const whole = listOf(2, ROWS)
  for (let length = 2; length < whole.length; length++) {
    const read = readSource(whole.subarray(0, length))
    assert.deepEqual(read, {
      ok: false,
      problem: { kind: 'damaged', message: 'is cut short: one of its colours is incomplete' },
    })
  }
  await forAll([fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 60 })], (version, bytes) => {
    readSource(Buffer.concat([Buffer.from([0, version]), bytes]))
  })
})
