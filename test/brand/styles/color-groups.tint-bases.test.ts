import assert from 'node:assert/strict'
import test from 'node:test'
import type { Color } from '#brand/color.ts'
import { isStyleId } from '#brand/ids.ts'
import { groupColors, tintBases } from '#brand/styles/color-groups.ts'

/** Makes colours from their base colours and groups, keyed by id. */
function colors(given: Readonly<Record<string, [tintOf?: string, group?: string]>>): Color[] {
  return Object.entries(given).map(([id, [tintOf = '', group = '']]) => {
    assert.ok(isStyleId(id))
    const color = { id, name: id, rgb: '0,0,0', hex: '#000000', ...(group !== '' && { group }) }
    return isStyleId(tintOf) ? { ...color, tintOf } : color
  })
}

test('a tint has the base at the end of its chain, regardless of order', async () => {
  const bases = tintBases(colors({ a3: ['a2'], a2: ['a1'], a1: ['a'], a: [], b: [], b1: ['b'] }))
  const seen = Array.from(bases, ([id, base]) => [id, base.id])
  assert.deepEqual(seen, [
    ['a3', 'a'],
    ['a2', 'a'],
    ['a1', 'a'],
    ['b1', 'b'],
  ])
})

test('cyclic tints and tints of missing colours have no base', async () => {
  const bases = tintBases(colors({ x: ['y'], y: ['x'], z: ['x'], gone: ['nowhere'], self: ['self'] }))
  assert.deepEqual([...bases], [])
})

test("a tint comes at the end of its base colour's group, unless it has its own group", async () => {
  const groups = groupColors(
    colors({ 'ink-80': ['ink'], ink: ['', 'Core'], paper: ['', 'Core'], mist: ['paper', 'Greys'], other: [] }),
  )
  const seen = groups.map(({ name, colors }) => [name, ...colors.map(({ id }) => id)])
  assert.deepEqual(seen, [
    ['Core', 'ink', 'paper', 'ink-80'],
    ['Greys', 'mist'],
    [undefined, 'other'],
  ])
})
