import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { MAIN } from '../cli/housestyle.ts'
import type { Relay } from './relay.ts'

/**
 * Runs a command and kills it, or sends it another signal, when this part of its way is behind it, from 0 to 1; gives
 * whether that ended it. The first of each name runs to its end, so that its way is known. A command that is refused has
 * ended too.
 */
export type Killer = (args: readonly string[], part: number, signal?: NodeJS.Signals) => Promise<boolean>

/** Its way is measured in time, without the third in which Node starts. */
export function killerByTime(options: readonly string[]): Killer {
  const lengths = new Map<string, number>()
  return async ([name = '', ...args], part, signal = 'SIGKILL') => {
    const length = lengths.get(name)
    const began = performance.now()
    const child = started([name, ...args, ...options])
    const timer = length && setTimeout(() => child.kill(signal), length * (0.3 + part * 0.7))
    const wasKilled = await isKilled(child)
    clearTimeout(timer)
    if (!wasKilled) lengths.set(name, performance.now() - began)
    return wasKilled
  }
}

/**
 * Its way is measured in what it asks of engines, through the relays that the options name. In turn, the question at which
 * it is killed is lost, or answered without it hearing of that. Killers of several stores may share what they know of ways.
 */
export function killerByQuestions(
  options: readonly string[],
  relays: readonly Relay[],
  lengths = new Map<string, number>(),
): Killer {
  let isAnswered = false
  return async ([name = '', ...args], part, signal = 'SIGKILL') => {
    const fatal = Math.ceil((lengths.get(name) ?? 0) * part)
    isAnswered = !isAnswered
    let asked = 0
    const child = started([name, ...args, ...options])
    const isKilling = signal === 'SIGKILL'
    let isSent = false
    const send = () => {
      if (!isSent) child.kill(signal)
      isSent = true
    }
    for (const relay of relays) {
      relay.onSent((piece, isContinued) => {
        if (!isContinued) asked++
        if (fatal === 0 || asked < fatal) return piece
        if (isAnswered && asked === fatal) return piece
        send()
        return isKilling ? undefined : piece
      })
      relay.onReply(() => {
        if (fatal === 0 || asked < fatal) return true
        send()
        return !isKilling
      })
    }
    const wasKilled = await isKilled(child)
    // Postgres keeps the locks of a killed process until it notices that its connections are closed.
    for (const relay of relays) await relay.drained()
    if (!wasKilled) lengths.set(name, asked)
    return wasKilled
  }
}

function started(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
}

async function isKilled(child: ChildProcess): Promise<boolean> {
  const [code, signal] = await once(child, 'exit')
  return signal !== null || code === INTERRUPTED
}

const INTERRUPTED = 130
