import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { codePoints } from '#formats/font/characters.ts'
import { fontFacts } from '#formats/font/font-facts.ts'
import { openFont } from '#formats/font/open-font.ts'
import { SCRIPTS } from '#formats/font/scripts.ts'
import { type Subset, subsetFont } from '#formats/font/subset-font.ts'
import { unpackFont } from '#formats/font/unpack-font.ts'

const font = (path: string) => readFileSync(`node_modules/${path}`)
const INTER = '@fontsource/inter/files/inter-latin-400-normal'
const FRAUNCES = font('@fontsource-variable/fraunces/files/fraunces-vietnamese-full-normal.woff2')
const characters = SCRIPTS[0]?.ranges ?? []
const LATIN: Subset = { characters, axes: {}, features: ['tnum'] }

async function factsOf(bytes: Uint8Array) {
  const font = await openFont(Buffer.from(bytes))
  assert.ok(font.ok)
  return fontFacts(font.value)
}

async function subsetOf(bytes: Buffer, subset: Subset) {
  const made = await subsetFont(bytes, subset)
  assert.ok(made.ok)
  return { facts: await factsOf(made.value), made: made.value }
}

const unpacked = await unpackFont(font(`${INTER}.woff2`))
assert.ok(unpacked.ok)
for (const [format, bytes] of [
  ['WOFF2', font(`${INTER}.woff2`)],
  ['WOFF', font(`${INTER}.woff`)],
  ['TTF', unpacked.value],
] as const)
  test(`a subset of a font in ${format} has only the characters of its script, in about 15 KB of WOFF2`, async () => {
    const { made, facts } = await subsetOf(bytes, LATIN)
    assert.equal(Buffer.from(made).toString('latin1', 0, 4), 'wOF2')
    assert.ok(made.length < 18_000, `${made.length} bytes`)
    const allowed = new Set(codePoints(characters))
    const unexpected = [...codePoints(facts.characters.ranges)].filter(code => !allowed.has(code))
    assert.deepEqual(unexpected, [])
    assert.ok(facts.characters.count > 150)
    assert.equal(facts.ascent, (await factsOf(bytes)).ascent)
    assert.ok(facts.features.some(({ tag }) => tag === 'tnum'))
  })

test('a subset keeps the wanted part of an axis and loses the axes that are set', async () => {
  const { axes } = await factsOf(FRAUNCES)
  assert.deepEqual(axes.map(({ tag }) => tag).sort(), ['SOFT', 'WONK', 'opsz', 'wght'])
  const limits = { SOFT: [100, 100], WONK: [1, 1], wght: [400, 700] } as const
  const { facts } = await subsetOf(FRAUNCES, { characters: [[0x1ea0, 0x1ef9]], axes: limits, features: [] })
  const seen = facts.axes.map(({ tag, min, max }) => [tag, min, max])
  assert.deepEqual(seen, [
    ['opsz', 9, 144],
    ['wght', 400, 700],
  ])
})

test('a damaged font has no subset', async () => {
  const damaged = Buffer.from(unpacked.value)
  damaged.fill(0xff, 300, 3000)
  const made = await subsetFont(damaged.subarray(0, 4000), LATIN).catch(() => ({ ok: false }))
  assert.equal(made.ok, false)
})
