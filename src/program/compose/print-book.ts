import type { ForkOptions } from 'node:child_process'
import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { CODE } from '#platform/base/own-files.ts'
import { forkOwn } from '#platform/processes/own-process.ts'
import type { PrintBook } from '#publishing/books.ts'

/** Prints books with `housestyle export` in this environment, so that no request waits and the memory is freed. */
export function bookPrinter(env: Readonly<Partial<Record<string, string>>>): PrintBook {
  return async ({ workspace, project, revision }, publicUrl, signal) => {
    const args = ['export', `${workspace}/${project}`, '--to', 'pdf', '--revision', `${revision}`]
    // The signal ends it with SIGTERM, and it then ends its browser.
    const options: ForkOptions = { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], signal }
    const child = forkOwn(new URL('main', CODE), [...args, '--public-url', publicUrl], options)
    if (!child.stdout || !child.stderr) throw new Error('the export has no pipes')
    const ended = once(child, 'exit').catch((error: unknown) => [error])
    const [bytes, errorText, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), ended])
    if (code !== 0) throw new Error(errorText.trim().split('\n').at(-1) || 'the export ended without a result')
    return bytes
  }
}
