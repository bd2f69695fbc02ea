import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BLOCK_NUMBERS, numberWriter, openColumn, openTextColumn, textWriter } from '#delivery/search/blocks.ts'

test('a column returns its numbers unchanged, even across blocks', () => {
  const count = 2 * BLOCK_NUMBERS + 10
  const column = openColumn()
  const writer = numberWriter(block => column.add(block.slice()))
  for (let at = 0; at < count; at++) writer.write(at * 3)
  writer.flush()
  writer.flush()
  assert.equal(column.length(), count)
  for (const at of [0, 1, BLOCK_NUMBERS - 1, BLOCK_NUMBERS, 2 * BLOCK_NUMBERS, count - 1])
    assert.equal(column.at(at), at * 3)
  for (const [start, end, pieces] of [
    [0, 0, 0],
    [5, 5, 1],
    [7, 9, 1],
    [0, BLOCK_NUMBERS, 1],
    [BLOCK_NUMBERS, BLOCK_NUMBERS + 1, 1],
    [BLOCK_NUMBERS - 1, BLOCK_NUMBERS + 1, 2],
    [0, count, 3],
  ] as const) {
    const slices = column.slices(start, end)
    assert.equal(slices.length, pieces, `${start} to ${end}`)
    const wanted = Array.from({ length: end - start }, (_, at) => (start + at) * 3)
    assert.deepEqual(
      slices.flatMap(slice => [...slice]),
      wanted,
    )
  }
})

test('a column returns its strings unchanged, in any script and length, even across blocks', () => {
  const column = openTextColumn()
  const writer = textWriter(block => column.add(block.slice()))
  const texts = ['', 'plain', '品牌颜色', '', '🎨'.repeat(1000), 'ä'.repeat(BLOCK_NUMBERS), '\ufeffmark', '']
  const many = Array.from({ length: 300 }, (_, at) => `${texts[at % texts.length]}${at % 3 === 0 ? '' : at}`)
  const ends = many.map(writer.write)
  writer.flush()
  const read = many.map((_, at) => column.text(ends[at - 1] ?? 0, ends[at] ?? 0))
  assert.deepEqual(read, many)
  assert.equal(column.bytes(), Buffer.byteLength(many.join('')))
})
