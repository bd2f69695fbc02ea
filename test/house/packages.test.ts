import assert from 'node:assert/strict'
import test from 'node:test'
import { findUnexplained, findUnlocked } from './packages.ts'

test('a dependency without a row, a row without a dependency and a repeated row are reported', () => {
  const page = '| package | why |\n|---|---|\n| `yaml` | x |\n| `left-pad` | x |\n| `yaml` | x |\n'
  assert.deepEqual(findUnexplained(['yaml', '@scope/name'], page), [
    '@scope/name has no row in docs/dependencies.md',
    'docs/dependencies.md: the row left-pad matches no dependency, or repeats one: remove it',
    'docs/dependencies.md: the row yaml matches no dependency, or repeats one: remove it',
  ])
  assert.deepEqual(findUnexplained(['yaml'], '| `yaml` | x |\n'), [])
})

test('a package of another platform that the lockfile omits is reported', () => {
  const tool = { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' } }
  assert.deepEqual(findUnlocked({ packages: { 'node_modules/tool': tool, 'node_modules/tool-linux': {} } }), [
    'package-lock.json has no entry for tool-darwin 1.0.0: restore it',
  ])
})
