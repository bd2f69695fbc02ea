import process from 'node:process'
import { openMediaReader } from '#intake/media/media.ts'
import type { Caps } from '#intake/reading.ts'
import { failed, ok } from '#platform/base/result.ts'
import { endIdle } from '#platform/processes/idle.ts'
import { StoppedGit } from '../program/run-git.ts'
import { type CheckTask, openTreeCheck } from './check-tree.ts'

export type CheckMessage = CheckTask & { home: string; caps: Caps }

// The program of a process that checks commits of one branch. It ends when the process that started it disconnects.
const ending = new AbortController()
const media = openMediaReader()
let check: ReturnType<typeof openTreeCheck> | undefined
process.on('message', async ({ home, caps, ...task }: CheckMessage) => {
  const kill = (id: number, signal: NodeJS.Signals) => void process.kill(id, signal)
  check ??= openTreeCheck(home, { media, caps, signal: ending.signal, kill })
  try {
    process.send?.(ok(await check(task)))
  } catch (error) {
    if (!(error instanceof StoppedGit)) throw error
    process.send?.(failed(error.problem.message))
  }
})
process.once('disconnect', async () => {
  ending.abort()
  await media.close()
  await endIdle()
})
