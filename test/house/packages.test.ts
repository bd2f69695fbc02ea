import assert from 'node:assert/strict'
import test from 'node:test'
import { unexplained, unlocked } from './packages.ts'

test('a dependency without a row, a row without a dependency and a row that stands twice are found', () => {
  const page = '| package | why |\n|---|---|\n| `yaml` | x |\n| `left-pad` | x |\n| `yaml` | x |\n'
  assert.deepEqual(unexplained(['yaml', '@scope/name'], page), [
    '@scope/name has no row in docs/dependencies.md',
    'docs/dependencies.md: the row left-pad is of nothing in package.json, or its second: remove it',
    'docs/dependencies.md: the row yaml is of nothing in package.json, or its second: remove it',
  ])
  assert.deepEqual(unexplained(['yaml'], '| `yaml` | x |\n'), [])
})

test('a package of another platform that the lockfile leaves out is found', () => {
  const tool = { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' } }
  assert.deepEqual(unlocked({ packages: { 'node_modules/tool': tool, 'node_modules/tool-linux': {} } }), [
    'package-lock.json has no entry for tool-darwin 1.0.0: put back the one it had',
  ])
})
