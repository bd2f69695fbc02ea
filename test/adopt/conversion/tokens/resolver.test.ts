import assert from 'node:assert/strict'
import test from 'node:test'
import { convertedFiles, namesAndHexes } from '../../../support/converted.ts'

const color = (tokens: Readonly<Record<string, string>>) => ({
  color: { $type: 'color', ...Object.fromEntries(Object.entries(tokens).map(([key, $value]) => [key, { $value }])) },
})

test('a resolver document gives its default context, from inline sources and the given files', () => {
  const resolver = {
    name: 'Quay',
    version: '2025.10',
    sets: {
      base: { sources: [{ $ref: 'tokens/base.json' }, color({ paper: '#fff', ink: '#111' })] },
      more: { sources: [{ $ref: '#/sets/base' }, { $ref: 'gone.json' }] },
      unused: { sources: [color({ unused: '#123' })] },
    },
    modifiers: {
      theme: {
        contexts: { dark: [{ $ref: 'tokens/dark.json' }], light: [color({ deep: '#0a4f6b' })] },
        default: 'light',
      },
    },
    resolutionOrder: [
      { $ref: '#/sets/more' },
      { name: 'size', type: 'modifier', contexts: { big: [color({ big: '#222' })], small: [] } },
      { $ref: '#/modifiers/theme' },
      { name: 'last', type: 'set', sources: [color({ last: '{color.deep}' })] },
    ],
  }
  const styles = convertedFiles([
    ['brand/tokens/dark.json', color({ deep: '#80c4e0' })],
    ['./brand/a.resolver.json', resolver],
    ['brand/tokens/base.json', color({ deep: '#000', ink: '#000' })],
    ['other.json', color({ other: '{color.ink}' })],
  ])
  assert.deepEqual(namesAndHexes(styles), [
    'deep #0a4f6b',
    'ink #111111',
    'paper #ffffff',
    'big #222222',
    'last #0a4f6b',
    'other #111111',
  ])
  assert.deepEqual(styles.notes, [
    '"gone.json": a part of the resolver file; give it too, with --from',
    '"size.small": not the default context ("big"); left out',
    '"theme.dark": not the default context ("light"); left out',
    '"sets.unused": is not in "resolutionOrder"; left out',
  ])
})

test('a set that refers to itself, and a resolver document with wrong values, do not fail', () => {
  const deep = color({ deep: '#000' })
  const twice = (name: string) => [{ $ref: `#/sets/${name}` }, { $ref: `#/sets/${name}` }]
  const sets = Array.from({ length: 40 }, (_, at) => [`s${at}`, { sources: [deep, ...twice(`s${at + 1}`)] }])
  const fan = { version: '2025.10', sets: Object.fromEntries(sets), resolutionOrder: twice('s0') }
  for (const resolver of [
    {
      version: '2025.10',
      sets: { a: { sources: [{ $ref: '#/sets/a' }, deep] } },
      resolutionOrder: [{ $ref: '#/sets/a' }],
    },
    fan,
    { version: '2025.10', sets: 1, modifiers: null, resolutionOrder: [1, null, { $ref: 7 }, { sources: [deep, 3] }] },
  ])
    assert.deepEqual(namesAndHexes(convertedFiles([['a.json', resolver]])), ['deep #000000'])
})

test('a resolver document names the parts that it lacks', () => {
  const resolutionOrder = [{ sources: [{ $ref: 'base.json' }] }, { $ref: '#/sets/none' }]
  const { notes } = convertedFiles([['a.json', { version: '2025.10', resolutionOrder }]])
  assert.deepEqual(notes, [
    '"base.json": a part of the resolver file; give it too, with --from',
    '"#/sets/none": is not in the resolver file; left out',
  ])
})
