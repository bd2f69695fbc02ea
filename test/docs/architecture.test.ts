import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { MODULES } from '../house/modules.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/architecture.md', root), 'utf8')

test('docs/architecture.md has the table of modules that the import test enforces', () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \|[^|]+\| ([a-z, -]+) \|$/gm)]
  const shown = rows.map(([, module = '', imports = '']) => [module, imports === 'none' ? [] : imports.split(', ')])
  assert.deepEqual(Object.fromEntries(shown), MODULES)
})

test('every file that docs/architecture.md names exists', () => {
  const named = [...page.matchAll(/`((?:src|test|migrations|bin)\/[\w./-]+)`/g)].map(([, path = '']) => path)
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter(path => !existsSync(new URL(path, root))),
    [],
  )
})
