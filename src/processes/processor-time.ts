import { readFileSync } from 'node:fs'

/** The time that a process has had of the processor, in milliseconds; NaN where the system does not tell. */
export function processorMs(pid: number | undefined): number {
  try {
    // proc(5): `utime` and `stime` are the 14th and 15th field, in hundredths of a second; the 2nd may hold spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')
    return (Number(stat[11]) + Number(stat[12])) * 10
  } catch {
    return Number.NaN
  }
}
