import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { ROOMS } from '../house/rooms.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/architecture.md', root), 'utf8')

test('the table of rooms in docs/architecture.md is the one that imports are held to', () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \|[^|]+\| ([a-z, -]+) \|$/gm)]
  const shown = rows.map(([, room = '', imports = '']) => [room, imports === 'none' ? [] : imports.split(', ')])
  assert.deepEqual(Object.fromEntries(shown), ROOMS)
})

test('every file that docs/architecture.md names is there', () => {
  const named = [...page.matchAll(/`((?:src|test|migrations|bin)\/[\w./-]+)`/g)].map(([, path = '']) => path)
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter(path => !existsSync(new URL(path, root))),
    [],
  )
})
