import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { MAIN } from '../program/cli/housestyle.ts'
import type { Relay } from './relay.ts'

/**
 * Runs a command and kills it, or sends another signal, after this part of its run, from 0 to 1. Returns whether the
 * signal ended it. The first command of each name runs to its end, to measure its run. A rejected command counts as
 * complete.
 */
export type Killer = (args: readonly string[], part: number, signal?: NodeJS.Signals) => Promise<boolean>

/** Measures runs in time, without the third in which Node starts. */
export function killerByTime(options: readonly string[]): Killer {
  const lengths = new Map<string, number>()
  return async ([name = '', ...args], part, signal = 'SIGKILL') => {
    const length = lengths.get(name)
    const began = performance.now()
    const child = startCommand([name, ...args, ...options])
    const timer = length && setTimeout(() => child.kill(signal), length * (0.3 + part * 0.7))
    const wasKilled = await isKilled(child)
    clearTimeout(timer)
    if (!wasKilled) lengths.set(name, performance.now() - began)
    return wasKilled
  }
}

/**
 * Measures runs in requests to Postgres and S3, through the relays in the options. Alternately, the request at the time
 * of the kill is lost, or its reply is. Killers of several stores may share their measurements.
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
    const child = startCommand([name, ...args, ...options])
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

function startCommand(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
}

async function isKilled(child: ChildProcess): Promise<boolean> {
  const [code, signal] = await once(child, 'exit')
  return signal !== null || code === INTERRUPTED
}

const INTERRUPTED = 130
