import assert from 'node:assert/strict'
import test from 'node:test'
import type { Color } from '#brand/color.ts'
import { isStyleId } from '#brand/ids.ts'
import { groupColors, tintBases } from '#brand/styles/color-groups.ts'
import { fc, forAll } from '../../support/random.ts'

function colors(names: readonly string[]): Color[] {
  return names.map((name, at) => {
    const id = `c${at}`
    assert.ok(isStyleId(id))
    return { id, name, rgb: '0,0,0', hex: '#000000' }
  })
}

async function groupNames(names: readonly string[]): Promise<[name: string | undefined, ...string[]][]> {
  return groupColors(colors(names)).map(({ name, colors }) => [name, ...colors.map(color => color.name)])
}

const CASES: Readonly<Record<string, readonly [names: string[], groups: [string | undefined, ...string[]][]]>> = {
  'a list without colours has no group': [[], []],
  'a short list without groups stays whole': [['Ink', 'Paper', 'Beech'], [[undefined, 'Ink', 'Paper', 'Beech']]],
  'a short list with few shades stays whole': [
    ['Ink', 'Paper', 'Beech', 'Brass', 'Steel', 'Grey 1', 'Grey 2'],
    [[undefined, 'Ink', 'Paper', 'Beech', 'Brass', 'Steel', 'Grey 1', 'Grey 2']],
  ],
  'the part before the last / names the group, even for scattered colours': [
    ['Brand / Ink', 'UI/Grey/50', 'White', 'brand/Red', 'UI / Grey / 60'],
    [
      ['Brand', 'Brand / Ink', 'brand/Red'],
      ['UI / Grey', 'UI/Grey/50', 'UI / Grey / 60'],
      [undefined, 'White'],
    ],
  ],
  'numbers and shade words group colours by the rest of their names': [
    ['Blue 50', 'Blue 60', 'Red', 'Light red', 'red-dark', 'Black'],
    [
      ['Blue', 'Blue 50', 'Blue 60'],
      ['Red', 'Red', 'Light red', 'red-dark'],
      [undefined, 'Black'],
    ],
  ],
  'a single shade is not a group': [['Light', 'Dark', 'Blue 50'], [[undefined, 'Light', 'Dark', 'Blue 50']]],
  'names without letters are different': [['★', '☆'], [[undefined, '★', '☆']]],
  'a / at the start or end names no group': [['/', 'Ink /', '/ Paper'], [[undefined, '/', 'Ink /', '/ Paper']]],
}

for (const [what, [names, groups]] of Object.entries(CASES))
  test(what, async () => assert.deepEqual(await groupNames(names), groups))

test('a long list is split by its groups', async () => {
  const many = Array.from({ length: 21 }, (_, at) => `Colour${String.fromCharCode(65 + at)}`)
  assert.deepEqual(await groupNames([...many, 'Grey 1', 'Grey 2']), [
    [undefined, ...many],
    ['Grey', 'Grey 1', 'Grey 2'],
  ])
})

test('every colour is in one group in the given order, and group ids are unique', async () => {
  const name = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('Blue 1', 'Blue 2', 'A / B', 'a-b / C', '★/x', '☆/y'),
  )
  await forAll([fc.array(name, { maxLength: 40 })], async names => {
    const all = colors(names)
    const groups = groupColors(all)
    assert.deepEqual(new Set(groups.flatMap(group => group.colors)), new Set(all))
    const seen = groups.reduce((sum, group) => sum + group.colors.length, 0)
    assert.equal(seen, all.length)
    assert.equal(new Set(groups.map(({ id }) => id)).size, groups.length)
    for (const group of groups) {
      const expected = all.filter(color => group.colors.includes(color))
      assert.deepEqual(group.colors, expected)
    }
  })
})

test('a written group overrides the name of a colour, and groups with the same slug are one', async () => {
  const written = ['Night', undefined, 'night', 'Day / Noon'].map((group, at) => {
    const [color] = colors([`Sky / ${at}`])
    assert.ok(color)
    return { ...color, ...(group !== undefined && { group }) }
  })
  const groups = groupColors(written)
  const seen = groups.map(({ id, name, colors }) => [id, name, ...colors.map(color => color.name)])
  assert.deepEqual(seen, [
    ['night', 'Night', 'Sky / 0', 'Sky / 2'],
    ['sky', 'Sky', 'Sky / 1'],
    ['day-noon', 'Day / Noon', 'Sky / 3'],
  ])
})

/** Makes colours from their base colours and groups, keyed by id. */
function tints(given: Readonly<Record<string, [tintOf?: string, group?: string]>>): Color[] {
  return Object.entries(given).map(([id, [tintOf = '', group = '']]) => {
    assert.ok(isStyleId(id))
    const color = { id, name: id, rgb: '0,0,0', hex: '#000000', ...(group !== '' && { group }) }
    return isStyleId(tintOf) ? { ...color, tintOf } : color
  })
}

test('a tint has the base at the end of its chain, regardless of order', async () => {
  const bases = tintBases(tints({ a3: ['a2'], a2: ['a1'], a1: ['a'], a: [], b: [], b1: ['b'] }))
  const seen = Array.from(bases, ([id, base]) => [id, base.id])
  assert.deepEqual(seen, [
    ['a3', 'a'],
    ['a2', 'a'],
    ['a1', 'a'],
    ['b1', 'b'],
  ])
})

test('cyclic tints and tints of missing colours have no base', async () => {
  const bases = tintBases(tints({ x: ['y'], y: ['x'], z: ['x'], gone: ['nowhere'], self: ['self'] }))
  assert.deepEqual([...bases], [])
})

test("a tint comes at the end of its base colour's group, unless it has its own group", async () => {
  const groups = groupColors(
    tints({ 'ink-80': ['ink'], ink: ['', 'Core'], paper: ['', 'Core'], mist: ['paper', 'Greys'], other: [] }),
  )
  const seen = groups.map(({ name, colors }) => [name, ...colors.map(({ id }) => id)])
  assert.deepEqual(seen, [
    ['Core', 'ink', 'paper', 'ink-80'],
    ['Greys', 'mist'],
    [undefined, 'other'],
  ])
})
