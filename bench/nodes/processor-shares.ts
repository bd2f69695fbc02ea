import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Groups of processes that come before all others of the machine, and may use so much of a processor and no more (control
 * groups of Linux, version 1).
 */
export type ProcessorShares = {
  /** Puts a process into a group of its own, which may use this part of a processor, from 0 to 1; absent: all. */
  put: (pid: number, part?: number) => void
  /** Puts the process back, which may use all again. */
  free: (pid: number) => void
}

/** Undefined if this machine does not let this user make such groups. */
export function processorShares(): ProcessorShares | undefined {
  try {
    accessSync(join(ROOT, 'cpu.cfs_quota_us'))
    accessSync(ROOT, constants.W_OK)
  } catch {
    return undefined
  }
  const own = join(ROOT, /^\d+:cpu(?:,cpuacct)?:\/(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'latin1'))?.[1] ?? '')
  const folderOf = (pid: number) => join(ROOT, `housestyle-bench-${pid}`)
  return {
    put: (pid, part) => {
      const folder = folderOf(pid)
      mkdirSync(folder)
      if (part !== undefined)
        writeFileSync(join(folder, 'cpu.cfs_quota_us'), `${Math.round(PERIOD_MICROSECONDS * part)}`)
      writeFileSync(join(folder, 'cpu.shares'), '100000')
      writeFileSync(join(folder, 'cgroup.procs'), `${pid}`)
    },
    free: pid => {
      writeFileSync(join(own, 'cgroup.procs'), `${pid}`)
      rmdirSync(folderOf(pid))
    },
  }
}

const ROOT = '/sys/fs/cgroup/cpu'
const PERIOD_MICROSECONDS = 100_000
