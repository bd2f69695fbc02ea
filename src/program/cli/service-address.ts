import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { platform } from 'node:os'
import { errorMessage } from '#platform/base/error.ts'
import { isThisMachine } from '#platform/base/server-url.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { runningServices } from '#publishing/status.ts'
import { addressFor } from '../compose/address.ts'
import { type Arguments, hasFlag, type Io, type Store, textOption } from './command.ts'
import { jsonLine } from './output/output.ts'

export async function runningAddress(store: Store, args: Arguments, settings: Settings): Promise<string | undefined> {
  return isAddressGiven(args, settings) ? undefined : (await runningServices(store, store.clock.date()))[0]
}

/** The address of the running service, else the one that the settings give. */
export async function serviceAddress(store: Store, args: Arguments, settings: Settings): Promise<string> {
  return (await runningAddress(store, args, settings)) ?? addressFor(settings)
}

/** Whether a setting gives the service's address; otherwise links use the running service's address. */
export function isAddressGiven(args: Arguments, { publicUrl }: Settings): boolean {
  return publicUrl !== undefined || textOption(args, 'host') !== undefined || textOption(args, 'port') !== undefined
}

export function isLocal(address: string): boolean {
  const { hostname } = new URL(address)
  return isThisMachine(hostname) || hostname === '0.0.0.0' || hostname === '[::]'
}

export function warnIfLocal(service: string, args: Arguments, io: Io): void {
  if (!isLocal(service)) return
  const fix = 'to send one, set --public-url to the address that readers use'
  const message = `links that begin with ${service} work only on this machine: ${fix}`
  io.err(hasFlag(args, 'json') ? `${jsonLine({ message })}\n` : `warning: ${message}\n`)
}

/** Opens an address with the program that `BROWSER` names, or the default. Does not wait for it to close. */
export async function openInBrowser(url: string, io: Io): Promise<void> {
  const [program, ...args] = commandFor(url, io.environment.BROWSER ?? '')
  const child = spawn(program, args, { env: { ...io.environment }, stdio: 'ignore', detached: true })
  child.unref()
  const problem = await once(child, 'spawn').then(() => undefined, errorMessage)
  if (problem !== undefined) io.err(`cannot open a browser with ${program} (${problem}): open the address yourself\n`)
}

/** `BROWSER` may list programs separated by colons, with `%s` for the address; the first one is used. */
function commandFor(url: string, browser: string): [program: string, ...args: string[]] {
  const [program, ...args] = (browser.split(':')[0] ?? '').split(' ').filter(word => word !== '')
  if (program === undefined) return [OPENERS[platform()] ?? 'xdg-open', url]
  return args.includes('%s') ? [program, ...args.map(arg => (arg === '%s' ? url : arg))] : [program, ...args, url]
}

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }
