import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * Keeps every core from sleeping until it is disposed of, by work that has a core only while nobody else wants it
 * (SCHED_IDLE of sched(7)). A virtual machine wakes a core that sleeps when its host has time for that: programs that wait
 * 2 ms on a machine that has nothing else to do were woken up to 50 ms late, one time in four by more than a millisecond,
 * and beside this one time in four hundred, by at most 3 ms. Delays are measured beside it, or they are those of the host.
 */
export function keepCoresAwake(): Disposable {
  const idlers = Array.from({ length: availableParallelism() }, (_, core) =>
    spawn('taskset', ['-c', String(core), 'chrt', '--idle', '0', process.execPath, '--eval', IDLE, `${process.pid}`], {
      stdio: 'ignore',
    }),
  )
  return {
    [Symbol.dispose]: () => {
      for (const each of idlers) each.kill('SIGKILL')
    },
  }
}

/** Ends with the process that began it, however that ends. */
const IDLE = 'while (process.ppid === Number(process.argv[1])) Atomics.pause(1e6)'
