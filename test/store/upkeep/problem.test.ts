import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseOutage, FilesOutage } from '#store/store-error.ts'
import { openingProblem } from '#store/upkeep/problem.ts'

const SAID = { said: 'Unsupported header' }
for (const outage of [
  new FilesOutage('cannot use bucket brand', 'use another server', SAID),
  new DatabaseOutage({ what: 'cannot use bucket brand', fix: 'use another server', ...SAID }),
])
  test(`the problem of a ${outage.constructor.name} has its fix and ends with the words of the server`, () =>
    assert.deepEqual(openingProblem(outage), {
      check: 'unreachable',
      subject: 'the store',
      message: 'cannot be used: cannot use bucket brand: Unsupported header',
      fix: 'use another server',
    }))
