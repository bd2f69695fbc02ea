import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { GROUPS } from '../house/modules.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/architecture.md', root), 'utf8')

test('docs/architecture.md has the folders of src in their order, with their purposes', () => {
  const [, table = ''] = /^\| folder \| purpose \|\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  assert.equal(
    table,
    Object.entries(GROUPS)
      .map(([group, purpose]) => `| \`${group}\` | ${purpose} |\n`)
      .join(''),
  )
})

test('the module table in docs/architecture.md explains existing folders, those of each group together', () => {
  const [, table = ''] = /^\| module \| purpose \|\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const shown = [...table.matchAll(/^\| `([\w/]+)` \|/gm)].map(([, module = '']) => module)
  const unexpected = shown.filter(module => !existsSync(new URL(`src/${module}`, root)))
  assert.deepEqual(unexpected, [])
  const groups = shown.map(module => Object.keys(GROUPS).indexOf(module.split('/')[0] ?? ''))
  const expected = groups.toSorted((one, other) => one - other)
  assert.deepEqual(groups, expected)
})

test('the context table in docs/architecture.md has the contexts of src, at most eight, with their files', () => {
  const [, table = ''] = /^\| context \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const shown = Array.from(table.matchAll(/^\| `(\w+)` \| `([^`]+)` \|/gm), ([, name, path]) => `${path}: ${name}`)
  const declared = globSync('src/**/*.ts', { cwd: root }).flatMap(path =>
    Array.from(
      readFileSync(new URL(path, root), 'utf8').matchAll(/^\s*(?:export )?(?:type|interface) (\w*Context)(?= =| \{)/gm),
      ([, name]) => `${path}: ${name}`,
    ),
  )
  assert.deepEqual(shown.toSorted(), declared.toSorted())
  assert.ok(declared.length <= 8, `${declared.length} contexts: use one of them, or name the type after what it is`)
})
