import { readdirSync, readFileSync } from 'node:fs'

/** The processor time that all threads of a process have had so far, in milliseconds, to the nanosecond (Linux). */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map(each =>
    Number(readFileSync(`/proc/${pid}/task/${each}/schedstat`, 'latin1').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}
