import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { needs } from '../support/programs.ts'

const bin = fileURLToPath(new URL('../../bin/housestyle.js', import.meta.url))

test('the examples of docs/access.md work in sequence', needs('bash', 'curl'), async t => {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-docs-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'housestyle'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  await chmod(join(folder, 'housestyle'), 0o755)
  const page = await readFile(new URL('../../docs/access.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? '')
  const ports = new Map<string, string>()
  for (const port of ['4080', '4081', '4090']) ports.set(port, String(await freePort()))
  const script = blocks
    .map(block =>
      block
        .replace(/^housestyle serve$/m, 'housestyle serve --port 4080')
        .replace(/^housestyle serve.*$/m, inBackground),
    )
    .join('\n')
    .replace(/\b40[89][01]\b/g, port => ports.get(port) ?? port)
  assert.match(script, /token issue/)
  const PATH = [folder, dirname(process.execPath), process.env.PATH].join(delimiter)
  const options = {
    cwd: folder,
    env: { PATH, HOUSESTYLE_LOG: 'warn', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    timeout: 300_000,
  }
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euo', 'pipefail', '-c', `${START}\n${script}\necho done`],
    options,
  )
  assert.match(stdout, /\ndone\n$/)
})

const START = "trap 'kill $(jobs -p); wait' EXIT"

/** Runs a service in the background, as in a second terminal, and waits until it answers. */
function inBackground(serve: string): string {
  const [, port] = /--port (\d+)/.exec(serve) ?? []
  return `${serve} > serve-${port}.log 2>&1 &\nfor n in $(seq 200); do curl -sf http://127.0.0.1:${port}/readyz && break; sleep 0.1; done`
}
