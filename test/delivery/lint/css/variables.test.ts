import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectVariables, expand, expandAll } from '#delivery/lint/css/variables.ts'
import { NO_SHEETS, type Sheets } from '#delivery/lint/source.ts'

test('variables come from a sheet and all that it imports, also in a loop', () => {
  const files = {
    'a.css': '@import "b.css" layer(x); :root { --a: 1 }',
    'b.css': '@import url(a.css); @import url("c.css"); :root { --a: 2 !important; --b: {x: y} }',
    'c.css': ':root { --c: 3 /* x */ }',
  }
  assert.deepEqual(collected('@import "a.css"; @media print { b { --a: 1 } }', 'css', files), {
    '--a': ['1', '2'],
    '--b': ['{x: y}'],
    '--c': ['3'],
  })
})

test('SCSS imports are looked up as Sass does', () => {
  const files = {
    '_a.scss': '$a_b: 1 !default',
    'x/b.scss': '$b: 2',
    'c/_index.scss': '$c: (k: 3)',
    'd.css': '// --no: 1;\n:root { --d: 4 }',
  }
  assert.deepEqual(
    collected('@use "sass:math"; @use "a"; @import "x/b", \'c\'; @forward "d"; // @use "e"', 'scss', files),
    {
      '$a-b': ['1'],
      $b: ['2'],
      $c: ['(k: 3)'],
      '--d': ['4'],
    },
  )
})

test('a value is resolved if each variable in it has exactly one value', () => {
  const css = ':root { --a: 1px; --b: var(--a) var(--a); --two: 1; --two: 2; --x: var(--y); --y: var(--x) }'
  const scope = collectVariables(css, 'css', NO_SHEETS, new Map([['$s-t', new Set(['5'])]]))
  const cases: [string, string | undefined][] = [
    ['var(--b)  solid !important', '1px 1px solid'],
    ['var( --a , 2px )', '1px'],
    ['var(--none, rgb(1 2 3))', 'rgb(1 2 3)'],
    ['$s_t m.$s-t', '5 5'],
    ['var(--two)', undefined],
    ['var(--none)', undefined],
    ['var(--x)', undefined],
    ['a'.repeat(2000), undefined],
  ]
  for (const [value, expected] of cases) assert.equal(expand(value, scope), expected, value)
})

test('a value has all texts that the values of its variables make, and an unknown one for each without a value', () => {
  const many = Array.from({ length: 18 }, (_, at) => `--m: m${at};`).join('')
  const scope = collectVariables(`a { --a: 1; --a: 2; --b: x; --b: var(--none); ${many} }`, 'css', NO_SHEETS)
  assert.deepEqual(expandAll('var(--a) var(--a)', scope), ['1 1', '2 2'])
  assert.deepEqual(expandAll('var(--b)', scope), ['x', undefined])
  assert.equal(expandAll('var(--m)', scope).length, 18)
  assert.equal(expandAll('var(--m) var(--m,) var(--m, )', scope).includes(undefined), true)
})

function collected(text: string, syntax: 'css' | 'scss', files: Record<string, string>): Record<string, string[]> {
  const opened = new Set<string>()
  const sheets: Sheets = {
    open: address => {
      const file = files[address]
      if (file === undefined || opened.has(address)) return undefined
      opened.add(address)
      return { text: file, sheets }
    },
  }
  return Object.fromEntries([...collectVariables(text, syntax, sheets)].map(([name, values]) => [name, [...values]]))
}
