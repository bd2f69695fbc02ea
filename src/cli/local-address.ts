import { type Arguments, hasFlag } from './command.ts'
import type { Io } from './io.ts'
import { jsonLine } from './output/json.ts'

/** Whether an address works only on this machine. */
export function isLocal(address: string): boolean {
  const { hostname } = new URL(address)
  return /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|(?:.+\.)?localhost)\.?$/.test(hostname)
}

/** Warns that printed links work only on this machine, if the address of their service does. */
export function warnIfLocal(service: string, args: Arguments, io: Io): void {
  if (!isLocal(service)) return
  const fix = 'to send one, set --public-url to the address that readers use'
  const message = `links that begin with ${service} work only on this machine: ${fix}`
  io.err(hasFlag(args, 'json') ? `${jsonLine({ message })}\n` : `warning: ${message}\n`)
}
