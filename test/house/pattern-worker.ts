import { parentPort } from 'node:worker_threads'
import { type Attack, attacksOn, type Pattern } from './patterns.ts'

// Measures patterns, one message each, with the first attack whose time grows faster than its length.
parentPort?.on('message', (pattern: Pattern) => parentPort?.postMessage(slowAttack(pattern)))

function slowAttack(pattern: Pattern): Attack | undefined {
  // A sticky pattern is tried at one place.
  const find = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`)
  const timeOf = ({ start, part, end }: Attack, length: number) => {
    const text = start + part.repeat(Math.ceil(length / part.length)) + end
    const began = process.threadCpuUsage()
    text.replaceAll(find, '')
    return process.threadCpuUsage(began).user / 1000
  }
  return attacksOn(pattern).find(attack => {
    if (timeOf(attack, 500) > NOTICED_MS) return true // Worse than quadratic.
    if (timeOf(attack, LENGTH) < NOTICED_MS) return false
    // The least of several times, because other programs run, too.
    const least = (length: number) => Math.min(...Array.from({ length: 3 }, () => timeOf(attack, length)))
    return least(LENGTH) > Math.max(NOTICED_MS, GROWTH * least(LENGTH / 4))
  })
}

/** Of the processor, which other programs on a busy machine do not change much. */
const NOTICED_MS = 50
const LENGTH = 16_000
/** Between 4, if time grows as length does, and 16. */
const GROWTH = 8
