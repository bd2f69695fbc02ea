import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Writes the name of every package that is loaded to stderr. */
const hook = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  registerHooks({ load(url, context, next) {
    const [, name] = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? []
    if (name) writeSync(2, 'package ' + name + '\\n')
    return next(url, context)
  } })
`)}`

test('a store that is imported already is served with only the packages that answering a request needs', async () => {
  const data = await mkdtemp(join(tmpdir(), 'housestyle-'))
  after(() => rm(data, { recursive: true, force: true }))
  for (const args of [
    ['import', 'examples/acme'],
    ['publish', '--all'],
    ['token', 'issue', 'acme'],
  ])
    execFileSync(process.execPath, [main, ...args, '--data', data], { stdio: 'ignore' })

  const args = ['--import', hook, main, 'serve', '--data', data, '--port', '0', '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const log = text(child.stderr)
  await once(child.stdout, 'data')
  child.kill()
  const loaded = (await log).split('\n').flatMap(line => (line.startsWith('package ') ? [line.slice(8)] : []))

  assert.deepEqual([...new Set(loaded)].sort(), [
    '@pinojs/redact',
    'atomic-sleep',
    'commander',
    'content-disposition',
    'content-type',
    'cookie',
    'lru-cache',
    'negotiator',
    'on-exit-leak-free',
    'pino',
    'pino-std-serializers',
    'quick-format-unescaped',
    'safe-stable-stringify',
    'sonic-boom',
    'thread-stream',
  ])
})
