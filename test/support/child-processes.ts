import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** The ids of this process's children. */
export function childProcesses(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

/** Kills every child process until the work has ended, as the system does if memory is short, or stops each. */
export async function whileKilling<Value>(
  work: Promise<Value>,
  signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL',
): Promise<Value> {
  let isDone = false
  const ended = work.finally(() => {
    isDone = true
  })
  ended.catch(() => undefined)
  while (!isDone) {
    for (const pid of childProcesses()) process.kill(pid, signal)
    await pause(1)
  }
  return ended
}
