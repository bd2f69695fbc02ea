import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const folder = new URL('../', import.meta.url)
const rows = readFileSync(new URL('security.md', folder), 'utf8')
  .split('\n')
  .filter(line => /^\| (?!point \||attacker \|)/.test(line))

test('every row of test/security.md names existing tests', () => {
  assert.ok(rows.length > 80)
  for (const row of rows) {
    const paths = [...(row.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
    assert.ok(paths.length > 0, row)
    for (const path of paths) assert.ok(/\.test\.ts$/.test(path) && existsSync(new URL(path, folder)), path)
  }
})
