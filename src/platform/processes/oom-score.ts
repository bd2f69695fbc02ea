import { readFileSync, writeFileSync } from 'node:fs'
import { attempt } from '../base/result.ts'

/** Lets Linux end a started child process rather than this one if memory is short. Its children inherit the score. */
export function endFirst(pid: number | undefined): void {
  if (pid === undefined) return
  attempt(() => {
    const ownScore = Number(readFileSync('/proc/self/oom_score_adj', 'utf8'))
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(Math.min(MAX_SCORE, ownScore + HIGHER_BY)))
  })
}

const MAX_SCORE = 1000
/** Counts as much as half of the memory. */
const HIGHER_BY = 500
