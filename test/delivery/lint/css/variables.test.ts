import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectVariables } from '#delivery/lint/css/variables.ts'
import type { Sheets } from '#delivery/lint/source.ts'

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
