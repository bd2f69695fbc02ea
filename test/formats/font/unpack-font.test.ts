import assert from 'node:assert/strict'
import { randomFillSync } from 'node:crypto'
import test from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import { fontFacts } from '#formats/font/font-facts.ts'
import { openFont } from '#formats/font/open-font.ts'
import { unpackFont } from '#formats/font/unpack-font.ts'
import { formatsOf, INTER, sfnt, VARIABLE_FONTS, variableInter, woffOf } from '../../support/fonts.ts'

async function factsOf(bytes: Buffer) {
  const font = await openFont(bytes)
  assert.ok(font.ok, font.ok ? '' : font.problem)
  return fontFacts(font.value)
}

for (const name of VARIABLE_FONTS)
  test(`the variable font ${name} has the same facts as WOFF2, WOFF and TTF`, async () => {
    const { woff2, woff, ttf } = await formatsOf(name)
    const facts = await factsOf(ttf)
    assert.deepEqual(await factsOf(woff2), facts)
    assert.deepEqual(await factsOf(woff), facts)
    const weights = facts.axes.find(({ tag }) => tag === 'wght')
    assert.ok(weights && weights.max - weights.min >= 500)
    const [lightest, heaviest] = [facts.widths[0], facts.widths.at(-1)]
    assert.deepEqual([lightest?.weight, heaviest?.weight], [weights.min, weights.max])
    assert.ok(facts.features.length > 0)
    assert.match(facts.copyright ?? '', /Copyright|©/)
    assert.ok(facts.embedding)
  })

test('a WOFF file unpacks to its original tables', async () => {
  const ttf = variableInter([['wght', 100, 400, 900]])
  const unpacked = await unpackFont(woffOf(ttf))
  assert.ok(unpacked.ok)
  assert.deepEqual(tablesIn(unpacked.value), tablesIn(ttf))
})

test('a font that is not packed stays unchanged', async () => {
  const ttf = variableInter([['wght', 100, 400, 900]])
  assert.deepEqual(await unpackFont(ttf), { ok: true, value: ttf })
})

/** The tables of an sfnt, keyed by tag. */
function tablesIn(bytes: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: bytes.readUInt16BE(4) }, (_, at) => bytes.subarray(12 + 16 * at, 28 + 16 * at))
  return new Map(
    entries.map(entry => {
      const offset = entry.readUInt32BE(8)
      return [entry.toString('latin1', 0, 4), bytes.subarray(offset, offset + entry.readUInt32BE(12))]
    }),
  )
}

const DAMAGED = { ok: false, problem: 'its packed content is damaged; copy or export it again' }

test('a WOFF with a damaged table, or with a wrong table length, is damaged', async () => {
  const woff = woffOf(variableInter([['wght', 100, 400, 900]]))
  const packed = Array.from({ length: woff.readUInt16BE(12) }, (_, at) => woff.subarray(44 + 20 * at)).find(
    entry => entry.readUInt32BE(8) + 100 < entry.readUInt32BE(12),
  )
  assert.ok(packed)
  const [offset, length] = [packed.readUInt32BE(4), packed.readUInt32BE(12)]
  for (const other of [length - 1, length + 1]) {
    packed.writeUInt32BE(other, 12)
    assert.deepEqual(await unpackFont(woff), DAMAGED)
  }
  packed.writeUInt32BE(length, 12)
  woff.fill(0xff, offset + 20, offset + 60)
  assert.deepEqual(await unpackFont(woff), DAMAGED)
})

test('a WOFF2 with wrong table lengths is damaged', async () => {
  const { woff2 } = await formatsOf('nunito-latin-wght-normal')
  const changed = Buffer.from(woff2)
  changed[49] = (changed[49] ?? 0) ^ 1 // The length of the first table, which has a known tag.
  assert.deepEqual(await unpackFont(changed), DAMAGED)
})

test('a WOFF2 that unpacks to more than 30 MiB has its facts, except the widths at other weights', async () => {
  const tables = new Map([...INTER, ...tablesIn(variableInter([['wght', 100, 400, 900]]))])
  const { widths, ...facts } = await factsOf(sfnt(tables))
  assert.equal(widths.length, 4)
  const large = woff2Of(new Map([...tables, ['misc', Buffer.alloc(31 * 1024 * 1024, NOISE)]]))
  assert.deepEqual(await factsOf(large), { ...facts, widths: [] })
  const small = woff2Of(new Map([...tables, ['misc', Buffer.alloc(1024 * 1024, NOISE)]]))
  assert.deepEqual(await factsOf(small), { ...facts, widths })
})

const NOISE = randomFillSync(Buffer.alloc(64 * 1024))

/** A WOFF2 with untransformed tables (WOFF2 §4), which are version 3 for glyf and loca. */
function woff2Of(tables: ReadonlyMap<string, Buffer>): Buffer {
  const entries = Array.from(tables, ([tag, table]) => {
    const outline = ['glyf', 'loca'].indexOf(tag)
    const name = outline < 0 ? [Buffer.from([0x3f]), Buffer.from(tag, 'latin1')] : [Buffer.from([0xca + outline])]
    return Buffer.concat([...name, varLength(table.length)])
  })
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  const body = brotliCompressSync(Buffer.concat([...tables.values()]), { params })
  const head = Buffer.alloc(48)
  head.write('wOF2\0\x01\0\0', 'latin1')
  head.writeUInt16BE(tables.size, 12)
  const sizes = Array.from(tables.values(), table => 16 + table.length + (-table.length & 3))
  head.writeUInt32BE(12 + sizes.reduce((sum, size) => sum + size, 0), 16)
  head.writeUInt32BE(body.length, 20)
  const unpadded = Buffer.concat([head, ...entries, body])
  const file = Buffer.concat([unpadded, Buffer.alloc(-unpadded.length & 3)])
  file.writeUInt32BE(file.length, 8)
  return file
}

/** UIntBase128 (WOFF2 §4.1). */
function varLength(value: number): Buffer {
  const bytes = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift(0x80 | (rest & 0x7f))
  return Buffer.from(bytes)
}
