import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
const cells = page
  .split('\n')
  .filter(line => /^\| (?!point \||attacker \||---)/.test(line))
  .map(line => line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '')))

test('every file that docs/security.md names is there', () => {
  const files = new Set(page.match(/(?<=`)src\/[\w/.-]+(?=`)/g))
  assert.ok(files.size > 0)
  for (const file of files) assert.ok(existsSync(new URL(file, root)), file)
})

test('every row of docs/security.md names a test, and there is a test of each of these names', () => {
  const names = new Set(globSync('test/**/*.test.ts', { cwd: fileURLToPath(root) }).flatMap(testNames))
  assert.ok(cells.length > 0)
  for (const row of cells) {
    const named = [...(row.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '')
    assert.ok(named.length > 0, row.join(' | '))
    for (const name of named) assert.ok(names.has(name), `there is no test "${name}"`)
  }
})

/** The names of the tests in a file, as they are written. */
function testNames(path: string): string[] {
  const text = readFileSync(new URL(path, root), 'utf8')
  return [...text.matchAll(/\btest\(\s*(?:'([^'\n]+)'|`([^`\n]+)`)/g)].map(([, plain, made]) => plain ?? made ?? '')
}
