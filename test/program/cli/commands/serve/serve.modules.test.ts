import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SMALL_BRAND, temporaryStore } from '#test/support/temporary-store.ts'

const main = fileURLToPath(new URL('../../../../../src/main.ts', import.meta.url))

const { data, importing, publish, issue } = await temporaryStore()
await importing('acme', SMALL_BRAND)

/** Writes the name of every loaded package to stderr. */
const hook = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  registerHooks({ load(url, context, next) {
    const [, name] = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? []
    if (name) writeSync(2, 'package ' + name + '\\n')
    return next(url, context)
  } })
`)}`

/** The distinct packages named on a program's stderr. */
function loadedIn(log: string): string[] {
  const names = log.split('\n').flatMap(line => (line.startsWith('package ') ? [line.slice(8)] : []))
  return [...new Set(names)].sort()
}

test('commands that only read or move pointers load no module of the service', () => {
  for (const args of [
    ['publish', '--all'],
    ['status'],
    ['history', 'acme/guidelines'],
    ['rollback', 'acme/guidelines'],
  ]) {
    const { stderr } = spawnSync(process.execPath, ['--import', hook, main, ...args, '--data', data])
    assert.deepEqual(loadedIn(stderr.toString()), ['commander'], args.join(' '))
  }
})

test('until it listens, a service loads only a few packages', async () => {
  await publish('acme/guidelines')
  await issue('acme')
  const args = ['--import', hook, main, 'serve', '--data', data, '--port', '0', '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const log = text(child.stderr)
  await once(child.stdout, 'data')
  child.kill()

  assert.deepEqual(loadedIn(await log), [
    'commander',
    'content-disposition',
    'content-type',
    'cookie',
    'lru-cache',
    'negotiator',
  ])
})
