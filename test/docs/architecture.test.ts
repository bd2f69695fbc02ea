import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { GROUPS, MODULES } from '../house/modules.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/architecture.md', root), 'utf8')

test('the groups in docs/architecture.md are those of the modules, with their purpose', () => {
  const [, table = ''] = /^\| group \| purpose \|\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const rows = Object.entries(GROUPS).map(([group, { purpose, modules }]) => {
    const names = Object.keys(modules).map(module => `\`${module}\``)
    return `| ${group} | ${purpose}: ${names.join(', ')} |\n`
  })
  assert.equal(table, rows.join(''))
})

test('the module table in docs/architecture.md has every module below the modules that it may import', () => {
  const [, table = ''] = /^\| module \| purpose \|\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const shown = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, module = '']) => module)
  assert.deepEqual(shown.toSorted(), Object.keys(MODULES).sort())
  for (const [at, module] of shown.entries())
    for (const imported of MODULES[module] ?? []) assert.ok(shown.indexOf(imported) < at, `${module}: ${imported}`)
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
