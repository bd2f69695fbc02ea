import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMAND_PROBLEMS, failedWith } from '../../src/publishing/project-ref.ts'

test('a command problem has a code of lower-case words with underscores, and a message for the user', () => {
  for (const code of COMMAND_PROBLEMS) assert.match(code, /^[a-z]+_[a-z]+$/)
  const problem = { code: 'project_unknown', message: 'there is no project acme/guide' }
  assert.deepEqual(failedWith('project_unknown', problem.message), { ok: false, problem })
})
