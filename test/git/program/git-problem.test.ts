import assert from 'node:assert/strict'
import test from 'node:test'
import { explainFailure } from '../../../src/git/program/git-problem.ts'
import { startGitServer } from '../../support/git-server.ts'
import { needs } from '../../support/programs.ts'
import { pullerFor } from '../../support/puller.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const NAMES = ['brand-404', '401', 'access denied', 'repository-not-found', 'ssl certificate file', 'redirection:']
const CODES = [
  [404, 'git_not_found'],
  [403, 'git_refused'],
  [301, 'git_not_found'],
  [500, 'git_unreachable'],
  [undefined, 'git_unreachable'],
] as const

test('the name of a repository does not count as the cause of a failure', needs('git'), async () => {
  const server = await startGitServer()
  const puller = pullerFor(await temporaryStore())
  for (const name of NAMES)
    for (const [status, code] of CODES) {
      server.answer(response => (status ? response.writeHead(status).end() : response.socket?.destroy()))
      const { state } = await puller.pull({ url: `${server.url}/${encodeURIComponent(name)}` })
      assert.deepEqual([name, status, state.failure?.code], [name, status, code])
    }
})

const URL = 'https://git.test/brand.git'

test('a full disk and missing memory of this machine are named as such', () => {
  const failures = [
    [
      'fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output\n',
      'write error: No space left on device; free some disk space',
    ],
    [
      'error: 2 objects lost\nfatal: write error: Disk quota exceeded\n',
      'write error: Disk quota exceeded; free some disk space',
    ],
    [
      'error: index-pack died of signal 9\nfatal: index-pack failed\n',
      'index-pack died of signal 9; see the memory of the machine or container',
    ],
  ] as const
  for (const [stderr, why] of failures)
    assert.deepEqual(explainFailure(`fetch ${URL}`, URL, { kind: 'failed', stderr }), {
      code: 'pull_failed',
      message: `cannot fetch ${URL}: ${why}; the next attempt follows by itself`,
    })
})
