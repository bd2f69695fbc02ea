import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readTokens } from '#delivery/lint/read-tokens.ts'
import { sourceOf } from '#delivery/lint/source.ts'
import type { Use } from '#delivery/lint/use.ts'
import { golden } from '../../support/golden.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { summaryOf } from './summary.ts'

type Case = { tokens: string }

golden('lint/tokens', ({ tokens }: Case) => usesOf(tokens).map(use => summaryOf(use, tokens)))

test('a token has the place of its value, and a fix replaces what is between the quotes', () => {
  const text = '{\r\n  "a": { "$type": "color",\r\n    "$value" : "#FF0000" } }'
  const span = { start: text.indexOf('#'), end: text.indexOf('#') + 7 }
  const color = { hex: '#ff0000', alpha: 1 }
  assert.deepEqual(usesOf(text), [
    { kind: 'color', line: 3, column: 16, color, written: '#FF0000', role: 'definition', span },
  ])
})

test('a string with escapes is judged, but no fix replaces it', () => {
  const [use] = usesOf('{"a":{"$type":"color","$value":"\\u0023f00"},"\\"":"\\\\"}')
  assert.deepEqual(use, {
    kind: 'color',
    line: 1,
    column: 32,
    color: { hex: '#ff0000', alpha: 1 },
    written: '#f00',
    role: 'definition',
  })
})

test('the fix of an object keeps its lines, its alpha and what else it has', () => {
  const value = `{\n  "hex": "#fe0000",\n  "alpha": 0.5, "note": [1],\n  "components": [\n    0.998, 0, 0 ],\n  "colorSpace": "display-p3" }`
  const text = `{"a": {"$type": "color", "$value": ${value}}}`
  const [use] = usesOf(text)
  assert.ok(use?.kind === 'color' && use.span && use.rewrite)
  assert.equal(use.written, '#fe0000')
  assert.equal(text.slice(use.span.start, use.span.end), value)
  assert.equal(
    use.rewrite('#336699'),
    '{\n  "hex": "#336699",\n  "alpha": 0.5, "note": [1],\n  "components": [\n    0.2, 0.4, 0.6 ],\n  "colorSpace": "srgb" }',
  )
})

test('every 8-bit colour that a fix writes is read as itself', () => {
  const [use] = usesOf(JSON.stringify({ a: { $type: 'color', $value: object('lab', [50, 0, 0]) } }))
  assert.ok(use?.kind === 'color' && use.rewrite)
  for (let channel = 0; channel < 256; channel++) {
    const hex = `#${channel.toString(16).padStart(2, '0')}00ff`
    const [fixed] = usesOf(`{"a": {"$type": "color", "$value": ${use.rewrite(hex)}}}`)
    assert.deepEqual(fixed?.kind === 'color' && fixed.color, { hex, alpha: 1 })
  }
})

test('a file that is not JSON is unreadable, with the place if the parser names it', () => {
  const message = `is not JSON: Expected double-quoted property name in JSON at position 9 (line 2 column 8)`
  assert.deepEqual(usesOf('{\n"a": 1,}'), [{ kind: 'unreadable', line: 2, column: 8, message }])
  assert.deepEqual(usesOf(''), [{ kind: 'unreadable', message: 'is not JSON: Unexpected end of JSON input' }])
})

test('hostile token files are read in linear time, or are unreadable', { timeout: PATIENCE_MS }, () => {
  const tooDeep = [{ kind: 'unreadable', message: 'is nested more than 200 deep: flatten it' }]
  assert.deepEqual(usesOf(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), tooDeep)
  assert.deepEqual(usesOf(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), tooDeep)
  assert.equal(usesOf('['.repeat(100_000)).length, 1)
  assert.deepEqual(usesOf(`[${'[],'.repeat(100_000)}1]`), [])
  assert.deepEqual(usesOf(`{"color": {"a": {"value": "${'\\n'.repeat(1_000_000)}"}}}`), [])
  const many = `[${'{"$type":"color","$value":"#123456"},'.repeat(20_000)}1]`
  assert.equal(usesOf(many).length, 20_000)
})

test('no change of a token file makes reading fail', { timeout: PATIENCE_MS }, () => {
  const cases: Record<string, Case[]> = parse(readFileSync('test/fixtures/golden/lint/tokens.yaml', 'utf8'))
  const text = `[${Object.values(cases).flatMap(list => list.map(({ tokens }) => tokens))}]`
  const signs = ['"', '\\', '{', '}', '[', ']', ':', ',', '\u2028', '\ud800', 'null', '1e999', '#', '__proto__', '{a}']
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  for (let round = 0; round < 4000; round++) {
    let mutated = text
    for (let change = random(4); change >= 0; change--) {
      const at = random(text.length)
      mutated = mutated.slice(0, at) + signs[random(signs.length)] + mutated.slice(at + random(8))
    }
    for (const use of usesOf(mutated))
      if (use.kind === 'color' && use.span) {
        assert.ok(use.span.start < use.span.end && use.span.end <= mutated.length)
        use.rewrite?.('#123456')
      }
  }
})

function object(colorSpace: string, components: readonly unknown[]) {
  return { colorSpace, components, hex: `${colorSpace} ${components}` }
}

function usesOf(text: string): Use[] {
  return [...readTokens(sourceOf(text))]
}

test('groups that extend others inside each other are read up to a limit, which is told', () => {
  const group = (next: number) => ({ a: { $extends: `{g${next}}` }, b: { $extends: `{g${next}}` } })
  const chain = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`g${at}`, group(at + 1)]))
  const source = JSON.stringify({ ...chain, g60: { x: { $type: 'color', $value: '#000' } } })
  assert.deepEqual([...readTokens(sourceOf(source))][0], {
    kind: 'unreadable',
    message: 'has groups that extend others to more tokens than can be read: write them out',
  })
})
