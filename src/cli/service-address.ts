import { runningServices } from '../publishing/status.ts'
import type { Settings } from '../settings.ts'
import { type Arguments, hasFlag, type Store, textOption } from './command.ts'
import type { Io } from './io.ts'
import { jsonLine } from './output/json.ts'

/** The address of a running service, unless a setting gives the address of the service. */
export async function runningAddress(store: Store, args: Arguments, settings: Settings): Promise<string | undefined> {
  return isAddressGiven(args, settings) ? undefined : (await runningServices(store, store.clock.date()))[0]
}

/** Whether a setting gives the service's address; otherwise links use the running service's address. */
export function isAddressGiven(args: Arguments, { publicUrl }: Settings): boolean {
  return publicUrl !== undefined || textOption(args, 'host') !== undefined || textOption(args, 'port') !== undefined
}

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
