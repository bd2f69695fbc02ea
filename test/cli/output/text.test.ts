import assert from 'node:assert/strict'
import test from 'node:test'
import { hasColors } from '../../../src/cli/output/text.ts'
import { folderWith } from '../../support/temporary.ts'
import { housestyleProcess } from '../housestyle.ts'

for (const [isTerminal, environment, expected] of [
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: 'true', NO_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: 'false' }, false],
] as const)
  test(`${isTerminal ? 'a terminal' : 'a pipe'} with ${JSON.stringify(environment)} gets ${expected ? '' : 'no '}colours`, () => {
    assert.equal(hasColors(isTerminal, environment), expected)
  })

test('FORCE_COLOR colours the findings of check in a pipe', async () => {
  const folder = await folderWith({ 'workspace.yaml': 'name: Acme\n', 'guide/project.yaml': 'nmae: Guide\n' })
  const [plain, forced] = await Promise.all(
    [{}, { FORCE_COLOR: '1' }].map(env => housestyleProcess(['check', folder], { env })),
  )
  assert.equal(plain?.stdout.includes('\u001b[3'), false)
  assert.equal(forced?.stdout.includes('\u001b[3'), true)
})
