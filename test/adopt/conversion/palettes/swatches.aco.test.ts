import assert from 'node:assert/strict'
import test from 'node:test'
import { converted, namesAndHexes, readSource } from '../../../support/converted.ts'
import { fc } from '../../../support/random.ts'

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
    '"PANTONE 285 C": has only a "Pantone" value and none for screens; left out',
    '"Print": has no value for screens (cmyk 100,50,0,0); left out: add it with its hex to styles/colors.yaml',
  ])
})

test('swatches without names are named by their hex, and a list with names may come alone', () => {
  assert.deepEqual(namesAndHexes(converted(listOf(1, ROWS.slice(0, 1)))), ['#0b4f6c #0b4f6c'])
  assert.deepEqual(namesAndHexes(converted(listOf(2, ROWS.slice(0, 1)))), ['Harbour #0b4f6c'])
})

test('swatches that are cut short are damaged, and no bytes are a fault', () => {
  const whole = listOf(2, ROWS)
  for (let length = 2; length < whole.length; length++) {
    const read = readSource(whole.subarray(0, length))
    assert.deepEqual(read, {
      ok: false,
      problem: { kind: 'damaged', message: 'is cut short: one of its colours is incomplete' },
    })
  }
  fc.assert(
    fc.property(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 60 }), (version, bytes) => {
      readSource(Buffer.concat([Buffer.from([0, version]), bytes]))
    }),
  )
})
