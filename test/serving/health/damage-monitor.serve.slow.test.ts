import assert from 'node:assert/strict'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashOf } from '#brand/snapshot.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { runningService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

/* These tests change bytes of the SQLite file of a running service. */

const TEXT = '# Damaged\n\nThis text has one wrong byte.\n'

/** A service of two public projects. All of its data is in the SQLite file, not in the write-ahead log. */
async function serving() {
  const temporary = await temporaryStore()
  const pages = Array.from({ length: 200 }, (_, at) => [
    `other/pages/p${at}.md`,
    `# P${at}\n\n${'text '.repeat(400)}\n`,
  ])
  await temporary.importing('acme', {
    'brand/project.yaml': 'name: Brand\nvisibility: public\n',
    'brand/pages/index.md': '# Brand\n',
    'brand/pages/damaged.md': TEXT,
    'brand/styles/colors.yaml': '- { name: Unmistakable, hex: "#123456" }\n',
    'other/project.yaml': 'name: Other\nvisibility: public\n',
    ...Object.fromEntries(pages),
  })
  for (const project of ['brand', 'other']) await temporary.publish(`acme/${project}`)
  const { token } = await temporary.issue('acme')
  const database = join(temporary.data, 'housestyle.db')
  const connection = new DatabaseSync(database)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  const lines: { level: string; text: string; error: unknown }[] = []
  const noting = (level: string) => (fields: object, text: string) =>
    void lines.push({ level, text, error: Reflect.get(fields, 'err') })
  const log: Log = { error: noting('error'), warn: noting('warn'), info: noting('info'), debug: () => undefined }
  const { url } = await runningService(temporary, {}, log)
  const ask = async (path: string) => {
    const reply = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    const body = await reply.text()
    if (reply.status === 503) assert.equal(reply.headers.get('cache-control'), 'no-store')
    return reply.status === 503 && path.startsWith(API) ? [503, JSON.parse(body).error] : [reply.status]
  }
  const readyz = async () => (await (await fetch(`${url}/readyz`)).text()).trim()
  const damaged = async () =>
    /^housestyle_content_damaged\{part="database"\} (.*)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]
  return { database, ask, readyz, damaged, lines }
}

const API = '/beta/workspace/acme'
const REFUSED = [503, 'temporarily_unavailable']

/** Overwrites the first occurrence of a string in a file. Returns a function that restores it. */
async function change(path: string, text: string, bytes = Buffer.from('?')): Promise<() => Promise<void>> {
  const at = (await readFile(path)).indexOf(text)
  assert.ok(at > 0)
  return overwrite(path, at, bytes)
}

async function overwrite(path: string, at: number, bytes: Uint8Array): Promise<() => Promise<void>> {
  const before = (await readFile(path)).subarray(at, at + bytes.length)
  const write = async (content: Uint8Array) => {
    await using file = await open(path, 'r+')
    await file.write(content, 0, content.length, at)
  }
  await write(bytes)
  await sleep(1500) // Each second, the service reads from the disk instead of the SQLite cache.
  return () => write(before)
}

test('a page with a changed byte gets 503 until it is repaired, and other projects are served', async () => {
  const { database, ask, readyz, damaged, lines } = await serving()
  const repair = await change(database, 'wrong byte')
  for (const _ of [1, 2]) assert.deepEqual(await ask(`${API}/project/brand/page/damaged`), REFUSED)
  const refused = ['damaged', 'damaged.md', 'llms-full.txt', '-/search?q=wrong'].map(path => `/acme/brand/${path}`)
  for (const path of refused) assert.deepEqual(await ask(path), [503], path)
  for (const path of [`${API}/projects`, `${API}/project/other/page/p1`, `${API}/project/brand/page/index`])
    assert.deepEqual(await ask(path), [200], path)
  assert.deepEqual(await ask('/acme/other/p1'), [200])
  assert.deepEqual([await readyz(), await damaged()], ['degraded: database', '1'])
  await repair()
  await until(async () => (await readyz()) === 'ready')
  assert.equal(await damaged(), '0')
  for (const path of [`${API}/project/brand/page/damaged`, ...refused]) assert.deepEqual(await ask(path), [200], path)
  const name = `object ${hashOf(Buffer.from(TEXT))} of workspace acme`
  const texts = lines.filter(({ level }) => level === 'error').map(({ text }) => text)
  assert.deepEqual(texts, [
    `content of the store is damaged, so requests for it fail: ${name} is damaged: its bytes do not have its hash; see \`housestyle doctor\``,
  ])
})

test('a list of styles with a changed byte gets 503, and so does each reply that needs it', async () => {
  const { database, ask, readyz } = await serving()
  const repair = await change(database, 'Unmistakable', Buffer.from('V'))
  assert.deepEqual(await ask(`${API}/project/brand/styles`), REFUSED)
  assert.deepEqual(await ask('/acme/brand/-/colors'), [503])
  assert.deepEqual(await ask('/acme/brand/-/exports/tokens.css'), [503])
  assert.deepEqual(await ask(`${API}/project/other/styles`), [200])
  assert.equal(await readyz(), 'degraded: database')
  await repair()
  await until(async () => (await readyz()) === 'ready')
  assert.deepEqual(await ask(`${API}/project/brand/styles`), [200])
})

test('a damaged page of the SQLite file gives 503 only to requests that need it, and never 500', async () => {
  const { database, ask, readyz, damaged, lines } = await serving()
  const size = 4096
  const found = (await readFile(database)).indexOf('# P100\n')
  const repair = await overwrite(database, found - (found % size), Buffer.alloc(size, 0xa5))
  const paths = Array.from({ length: 200 }, (_, at) => `${API}/project/other/page/p${at}`)
  const replies = await Promise.all(paths.map(ask))
  const refused = replies.filter(([status]) => status === 503)
  assert.ok(refused.length > 0)
  for (const reply of refused) assert.deepEqual(reply, REFUSED)
  assert.deepEqual(new Set(replies.map(([status]) => status)), new Set([200, 503]))
  assert.deepEqual(await ask(`${API}/projects`), [200])
  const causes = lines.filter(({ level }) => level === 'error').map(({ text }) => text)
  assert.match(causes.join('\n'), /the database is damaged: stop the service, run `housestyle doctor`/)
  await until(async () => (await readyz()) === 'degraded: database')
  assert.equal(await damaged(), '1')
  await repair()
  await until(async () => (await readyz()) === 'ready')
  // Connections that read it before keep it for a moment.
  await until(async () => (await Promise.all(paths.map(ask))).every(([status]) => status === 200))
})
