import type { ChildProcess } from 'node:child_process'
import { addAbortListener } from 'node:events'
import type { Caps } from '#intake/reading.ts'
import { serial, withTimeout } from '#platform/base/promise.ts'
import { failed, ok } from '#platform/base/result.ts'
import { endOwn, forkOwn } from '#platform/processes/own-process.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { CheckMessage } from './check-process.ts'
import type { Checked } from './check-tree.ts'
import type { EditClone, Head } from './clone.ts'

type CheckOptions = {
  source: GitSource
  /** A folder for the files of the last commit, which only the check uses. */
  home: string
  maxGit: number
  caps: Caps
  signal: AbortSignal
  /** Called if the head itself cannot be checked, so that saves are not checked for some time. */
  unchecked: (reason: string) => void
}

/**
 * Compares commits as an import would read them, in a process with a limited time, which ends if nobody edits. A change
 * that cannot be checked is refused. If the head itself cannot be checked, saves go on without: the check locks nobody out.
 */
export function openCheck({ signal, unchecked, ...options }: CheckOptions): NonNullable<EditClone['check']> {
  const inTurn = serial()
  let pausedUntil = 0
  let running: Running | undefined
  let idle: NodeJS.Timeout | undefined
  const end = () => void (running && endOwn(running.child))
  addAbortListener(signal, end)
  const ask = async (message: CheckMessage): Promise<Checked> => {
    clearTimeout(idle)
    idle = setTimeout(end, IDLE_MS).unref()
    if (running?.child.connected !== true) running = start()
    const { child } = running
    const { promise, resolve } = Promise.withResolvers<Checked>()
    running.settle = resolve
    child.send(message, () => {})
    return withTimeout(MAX_MS, promise, () => {
      running = undefined
      child.kill('SIGKILL')
      return failed('it took too long')
    })
  }
  const compare = (head: Head, { hash: commit, clone: { environment, folder } }: Head) =>
    inTurn(() => ask({ ...options, head: head.hash, commit, mirror: { environment, folder } }))
  return {
    // The errors of the head are kept for the next comparison.
    warm: head => void compare(head, head),
    added: async (head, commit) => {
      if (performance.now() < pausedUntil) return ok([])
      const ofHead = await compare(head, head)
      if (!ofHead.ok) {
        pausedUntil = performance.now() + PAUSE_MS
        unchecked(ofHead.problem)
        return ok([])
      }
      const added = await compare(head, commit)
      return added.ok ? added : failed({ code: 'edit_unchecked', message: `cannot check the change: ${added.problem}` })
    },
  }
}

/** A process, and the receiver of its next answer. */
type Running = { child: ChildProcess; settle: (checked: Checked) => void }

function start(): Running {
  const running: Running = { child: forkOwn(new URL('./check-process', import.meta.url)), settle: () => undefined }
  running.child.on('message', (checked: Checked) => running.settle(checked))
  running.child.once('exit', () => running.settle(failed('its process ended')))
  return running
}

/** The time for one comparison. */
const MAX_MS = 20_000
/** A process without tasks ends after this time. */
const IDLE_MS = 10 * 60_000
/** Saves are not checked for this time if the head cannot be checked. */
const PAUSE_MS = 10 * 60_000
