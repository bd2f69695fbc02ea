import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** The processes that this one has started. */
export function childProcesses(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

/** Kills every process that this one starts, as the system does if memory is short, until the work has ended. */
export async function whileKilling<Value>(work: Promise<Value>): Promise<Value> {
  let isDone = false
  const ended = work.finally(() => {
    isDone = true
  })
  ended.catch(() => undefined)
  while (!isDone) {
    for (const pid of childProcesses()) process.kill(pid, 'SIGKILL')
    await pause(1)
  }
  return ended
}
