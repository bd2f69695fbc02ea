import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import type { Io } from '../io.ts'

/**
 * Opens an address in the browser: with the program that `BROWSER` names, or with the system's default. Does not wait for
 * the browser to close. Prints a message if it cannot be started.
 */
export async function openInBrowser(url: string, io: Io): Promise<void> {
  const [program, ...args] = commandFor(url, io.environment.BROWSER ?? '')
  const problem = await new Promise<string | undefined>(resolve => {
    const child = spawn(program, args, { env: { ...io.environment }, stdio: 'ignore', detached: true })
    child.once('error', error => resolve(error.message))
    child.once('spawn', () => resolve(undefined))
    child.unref()
  })
  if (problem !== undefined) io.err(`cannot open a browser with ${program} (${problem}): open the address yourself\n`)
}

/** `BROWSER` may list programs separated by colons, with `%s` for the address; the first one is used. */
function commandFor(url: string, browser: string): [program: string, ...args: string[]] {
  const [program, ...args] = (browser.split(':')[0] ?? '').split(' ').filter(word => word !== '')
  if (program === undefined) return [OPENERS[platform()] ?? 'xdg-open', url]
  return args.includes('%s') ? [program, ...args.map(arg => (arg === '%s' ? url : arg))] : [program, ...args, url]
}

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }
