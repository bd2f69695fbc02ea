import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTokens } from '#delivery/lint/read-tokens.ts'
import { sourceOf } from '#delivery/lint/source.ts'
import type { Use } from '#delivery/lint/use.ts'

const CASES: readonly [title: string, value: unknown, uses: readonly string[]][] = [
  ['a string', { ink: { $type: 'color', $value: '#1A2B3C' } }, ['definition #1a2b3c 1 #1A2B3C']],
  [
    'a web manifest',
    { name: '#fff', theme_color: '#010203', background_color: 'tan', icons: [] },
    ['ground #010203 1 #010203', 'ground #d2b48c 1 tan'],
  ],
  ['a string with alpha', { ink: { $type: 'color', $value: '#1a2b3c80' } }, ['definition #1a2b3c 0.502 #1a2b3c80']],
  ['a CSS name', { ink: { $type: 'color', $value: 'red' } }, ['definition #ff0000 1 red']],
  ['an object', { a: { $type: 'color', $value: object('srgb', [1, 0, 0]) } }, ['definition #ff0000 1 #ff0000']],
  ['an object without a type', { a: { $value: object('srgb', [1, 0, 0]) } }, ['definition #ff0000 1 #ff0000']],
  ['an older object', { a: { value: object('srgb', [1, 0, 0]) } }, ['definition #ff0000 1 #ff0000']],
  ['a hue', { a: { $type: 'color', $value: object('hsl', [120, 50, 50]) } }, ['definition #40bf40 1 #40bf40']],
  ['an OKLCH', { a: { $type: 'color', $value: object('oklch', [1, 0, 0]) } }, ['definition #ffffff 1 #ffffff']],
  [
    'an object with a stale hex',
    { a: { $type: 'color', $value: { ...object('srgb', [1, 0, 'none']), hex: '#00ff00' } } },
    ['definition #ff0000 1 #ff0000'],
  ],
  ['an unknown space', { a: { $type: 'color', $value: object('cmyk', [1, 0, 0]) } }, []],
  ['too few components', { a: { $type: 'color', $value: object('srgb', [1, 0]) } }, []],
  ['an alias in an object', { a: { $type: 'color', $value: object('srgb', ['{a}', 0, 0]) } }, []],
  [
    'a resolver document',
    {
      sets: { base: { sources: [{ ink: { $type: 'color', $value: 'tan' } }] } },
      resolutionOrder: [{ $ref: '#/sets/base' }],
    },
    ['definition #d2b48c 1 tan'],
  ],
  ['an alias', { a: { $type: 'color', $value: '{color.ink}' } }, []],
  ['a reference', { a: { $type: 'color', $value: { $ref: '#/ink' } } }, []],
  ['an inherited type', { $type: 'color', ui: { $root: { $value: 'tan' } } }, ['definition #d2b48c 1 tan']],
  ['a type of its own', { $type: 'color', ui: { $type: 'number', a: { $value: 'tan' } } }, []],
  [
    'a description',
    { a: { $type: 'color', $value: 'no', $description: '#fff', $extensions: { b: { $value: '#fff' } } } },
    [],
  ],
  ['Style Dictionary', { color: { ink: { value: 'red' } } }, ['definition #ff0000 1 red']],
  [
    'Style Dictionary outside of colours',
    { size: { ink: { value: 'red' }, a: { value: '#000' } } },
    ['definition #000000 1 #000'],
  ],
  ['Tokens Studio', { global: { ink: { value: '#f00', type: 'color' } } }, ['definition #ff0000 1 #f00']],
  [
    'a Tokens Studio gradient',
    { a: { value: 'linear-gradient(#0f0 0%, {b} 50%, tan)', type: 'color' } },
    ['definition #00ff00 1 #0f0', 'definition #d2b48c 1 tan'],
  ],
  ['a group named value', { $type: 'color', value: { base: { $value: '#f00' } } }, ['definition #ff0000 1 #f00']],
  ['a border', { a: { $type: 'border', $value: { color: '#000', width: '1px' } } }, ['border #000000 1 #000']],
  [
    'shadows',
    { a: { $type: 'shadow', $value: [{ color: '#000' }, { color: '#111' }] } },
    ['shadow #000000 1 #000', 'shadow #111111 1 #111'],
  ],
  ['a Tokens Studio shadow', { a: { type: 'boxShadow', value: { color: '#000' } } }, ['shadow #000000 1 #000']],
  ['a gradient', { a: { $type: 'gradient', $value: [{ color: '#000', position: 0 }] } }, ['definition #000000 1 #000']],
  ['a family', { a: { $type: 'fontFamily', $value: 'Comic Sans MS' } }, ['font Comic Sans MS']],
  ['a CSS list of families', { a: { type: 'fontFamilies', value: "'Open Sans', Arial" } }, ['font Open Sans']],
  ['a list of families', { a: { $type: 'fontFamily', $value: ['Inter', 'Arial'] } }, ['font Inter']],
  ['an alias of a family', { a: { $type: 'fontFamily', $value: '{font.body}' } }, []],
  [
    'typography',
    {
      a: {
        $type: 'typography',
        $value: {
          fontFamily: ['Inter'],
          fontSize: { value: 1.5, unit: 'rem' },
          fontWeight: 'semi-bold',
          lineHeight: 1.25,
        },
      },
    },
    ['font Inter', 'type Inter 24 600 1.25'],
  ],
  [
    'Tokens Studio typography',
    {
      a: {
        type: 'typography',
        value: { fontFamily: 'Inter', fontSize: '16', fontWeight: 'Bold Italic', lineHeight: '24', letterSpacing: '0' },
      },
    },
    ['font Inter', 'type Inter 16 700 1.5'],
  ],
  [
    'typography in percent with aliases',
    {
      a: {
        $type: 'typography',
        $value: { fontFamily: '{font}', fontSize: '16px', fontWeight: '{bold}', lineHeight: '150%' },
      },
    },
    ['type undefined 16 undefined 1.5'],
  ],
]

for (const [title, value, uses] of CASES)
  test(`a token file yields the colours and fonts of ${title}`, () => {
    assert.deepEqual(usesOf(JSON.stringify(value)).map(summary), uses)
  })

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

test('hostile token files are read in linear time, or are unreadable', { timeout: 20_000 }, () => {
  const tooDeep = [{ kind: 'unreadable', message: 'is nested more than 200 deep: flatten it' }]
  assert.deepEqual(usesOf(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), tooDeep)
  assert.deepEqual(usesOf(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), tooDeep)
  assert.equal(usesOf('['.repeat(100_000)).length, 1)
  assert.deepEqual(usesOf(`[${'[],'.repeat(100_000)}1]`), [])
  assert.deepEqual(usesOf(`{"color": {"a": {"value": "${'\\n'.repeat(1_000_000)}"}}}`), [])
  const many = `[${'{"$type":"color","$value":"#123456"},'.repeat(20_000)}1]`
  assert.equal(usesOf(many).length, 20_000)
})

test('no change of a token file makes reading fail', { timeout: 60_000 }, () => {
  const text = JSON.stringify(Object.fromEntries(CASES.map(([title, value]) => [title, value])))
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

function summary(use: Use): string {
  if (use.kind === 'color') return `${use.role} ${use.color.hex} ${use.color.alpha} ${use.written}`
  if (use.kind === 'type') return `type ${use.family} ${use.size} ${use.weight} ${use.leading}`
  return use.kind === 'font' ? `font ${use.family}` : use.kind
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
