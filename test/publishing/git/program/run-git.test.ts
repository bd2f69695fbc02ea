import assert from 'node:assert/strict'
import test from 'node:test'
import { StoppedGit, streamGit } from '#publishing/git/program/run-git.ts'
import { GIT, startGitServer } from '../../../support/git-server.ts'

test('a command ends when its work fails, although git has not written all of its output', GIT, async () => {
  const server = await startGitServer()
  const { folder, git } = await server.make('large.git')
  const hash = await git(['hash-object', '-w', '--stdin'], Buffer.alloc(8 << 20))
  const runner = {
    environment: { PATH: process.env.PATH ?? '' },
    folder,
    kill: (id: number, signal: NodeJS.Signals) => void process.kill(id, signal),
    signal: new AbortController().signal,
  }
  const problem = { code: 'git_unsafe', message: 'it has a pointer' } as const
  const ended = await streamGit(runner, ['cat-file', '--batch'], {}, async ({ input, output }) => {
    input.end(`${hash}\n`)
    await output[Symbol.asyncIterator]().next()
    throw new StoppedGit(problem)
  })
  assert.deepEqual(ended, { ok: false, problem: { kind: 'stopped', problem } })
})
