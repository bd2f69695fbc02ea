import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { MODULES } from '../house/modules.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/architecture.md', root), 'utf8')

test('the module table in docs/architecture.md has every module below the modules that it may import', () => {
  const [, table = ''] = /^\| module \| purpose \|\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const shown = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, module = '']) => module)
  assert.deepEqual(shown.toSorted(), Object.keys(MODULES).sort())
  for (const [at, module] of shown.entries())
    for (const imported of MODULES[module] ?? []) assert.ok(shown.indexOf(imported) < at, `${module}: ${imported}`)
})
