import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFile, cp, mkdir, open, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '#serving/access/client/clients.ts'
import { openStore } from '#store/store.ts'
import { MAIN } from '../../program/cli/housestyle.ts'
import { serve } from '../../support/command.ts'
import { needs } from '../../support/programs.ts'
import { runningService, silent } from '../../support/service.ts'
import { fillDisk, mountDisk } from '../../support/small-disk.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { accessTo, publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'

/* These tests run `serve` as a child process and break its store from outside. */

const PROJECT = '/workspace/acme/project/guidelines'
const READY = [200, 'ready\n', 'text/plain']
const DEGRADED = [200, 'degraded: database\n', 'text/plain']
const MOVED = [503, 'unavailable: the data folder was moved or replaced\n', 'text/plain']

const LOG_MOVED =
  'the data folder, its database or its files were moved, removed or replaced: put them back, or restart the service to serve the new content'
const LOG_BACK = 'the data folder is back in its place'

/** A running service of a small brand, and its data folder. No other process uses its store. */
async function serving(t: TestContext, { flags = [], disk }: { flags?: readonly string[]; disk?: string } = {}) {
  const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
  const { token } = await temporary.issue('acme')
  const reach = { scopes: ['document.read'] } as const
  const client = await createClient(accessTo(temporary.store), 'acme', reach, new Date())
  await temporary.store.close()
  temporary.store.close = async () => undefined
  const data = disk === undefined ? temporary.data : join(disk, 'data')
  if (data !== temporary.data) await cp(temporary.data, data, { recursive: true })
  const service = await serve(MAIN, '--data', data, ...flags)
  t.after(() => service.stop())
  const headers = { Authorization: `Bearer ${token}` }
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.client_id,
    client_secret: client.client_secret ?? '',
  })
  return {
    url: service.url,
    data,
    database: join(data, 'housestyle.db'),
    stop: service.stop,
    api: async (path: string) => (await fetch(`${service.baseUrl}${PROJECT}${path}`, { headers })).status,
    bringIntoMemory: async (path: string) =>
      (await fetch(`${service.baseUrl}${PROJECT}${path}`, { headers })).arrayBuffer(),
    readyz: () => readyz(service.url),
    fileUrls: async (): Promise<string[]> => {
      const { files } = JSON.parse(await (await fetch(`${service.baseUrl}${PROJECT}/files`, { headers })).text())
      return files.map(({ url }: { url: string }) => url)
    },
    askToken: () => fetch(`${service.url}/oauth/token`, { method: 'POST', body }),
    /** The lines of its log, after it was stopped. */
    logLines: async () =>
      (await service.log).split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : [])),
  }
}

async function readyz(url: string): Promise<unknown[]> {
  const reply = await fetch(`${url}/readyz`)
  return [reply.status, await reply.text(), reply.headers.get('Content-Type')]
}

async function until(look: () => Promise<unknown[]>, wanted: readonly unknown[]): Promise<void> {
  let last: unknown[] = []
  for (let tries = 0; tries < 1200; tries++) {
    last = await look()
    if (last[0] === wanted[0] && last[1] === wanted[1]) return
    await sleep(50)
  }
  assert.deepEqual(last, wanted)
}

/** Moves the write-ahead log into the database file, so that damage to the file is noticed. */
function checkpoint(path: string): void {
  const connection = new DatabaseSync(path)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
}

/** Ways to break the database of a running service, by a page that is not yet in memory. Each returns a repair. */
const BREAKS: Readonly<Record<string, (path: string) => Promise<() => Promise<void>>>> = {
  '/page/index': async path => {
    const { size } = await stat(path)
    return overwrite(path, new Uint8Array(size))
  },
  '/page/logo': path => overwrite(path, new Uint8Array(100)),
  '/page/logo/misuse': path => overwrite(path, Buffer.alloc(1 << 16, 'no database ')),
}

async function overwrite(path: string, bytes: Uint8Array): Promise<() => Promise<void>> {
  const before = await readFile(path)
  const write = async (content: Uint8Array) => {
    await using file = await open(path, 'r+')
    await file.truncate(0)
    await file.write(content)
  }
  await write(bytes)
  return () => write(before)
}

test('with a database that is overwritten or truncated, the service answers from memory, reports that it is degraded, and logs this once', async t => {
  const { database, api, bringIntoMemory, readyz, askToken, stop, logLines } = await serving(t)
  await bringIntoMemory('/pages')
  assert.deepEqual(await readyz(), READY)
  checkpoint(database)
  for (const [page, breakIt] of Object.entries(BREAKS)) {
    const repair = await breakIt(database)
    await until(readyz, DEGRADED)
    assert.equal(await api('/pages'), 200)
    assert.equal(await api(page), 503, page)
    const refused = await askToken()
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '1'])
    assert.equal(Reflect.get(Object(await refused.json()), 'error'), 'temporarily_unavailable')
    await sleep(700)
    await repair()
    await until(readyz, READY)
    assert.equal(await api(page), 200)
    await until(async () => [(await askToken()).status], [200])
    checkpoint(database)
  }
  assert.equal(await stop(), 0)
  const lines = (await logLines()).filter(({ level, msg }) => level >= 40 || /again/.test(msg)).map(({ msg }) => msg)
  const broken = lines.filter((_, at) => at % 2 === 0)
  assert.equal(broken.length, 3)
  for (const line of broken) assert.match(line, /^cannot read the database; the service keeps answering from memory: /)
  const kept = lines.filter((_, at) => at % 2 === 1)
  assert.deepEqual(kept, Array(3).fill('the database can be read again'))
})

test('a service that is degraded for longer than --ready-grace is not ready until it can read again', async t => {
  const { database, readyz } = await serving(t, { flags: ['--ready-grace', '1s'] })
  checkpoint(database)
  const repair = await overwrite(database, new Uint8Array(100))
  await until(readyz, DEGRADED)
  await until(readyz, [503, 'unavailable: database\n'])
  await repair()
  await until(readyz, READY)
})

test('a service whose data folder or database is moved or replaced, even by a copy or a sound store, becomes unready at once, and ready when it is back', async t => {
  const { data, database, api, readyz, stop, logLines } = await serving(t)
  assert.equal(await api('/pages'), 200)
  await rename(data, `${data}-moved`)
  assert.deepEqual(await readyz(), MOVED)
  assert.equal(await api('/pages'), 200)
  await rename(`${data}-moved`, data)
  assert.deepEqual(await readyz(), READY)

  await rename(database, `${database}-moved`)
  assert.deepEqual(await readyz(), MOVED)
  await copyFile(`${database}-moved`, database)
  assert.deepEqual(await readyz(), MOVED)
  await rename(`${database}-moved`, database)
  assert.deepEqual(await readyz(), READY)

  await rename(data, `${data}-moved`)
  await (await openStore(data)).close()
  assert.deepEqual(await readyz(), MOVED)
  assert.equal(await stop(), 0)
  const lines = (await logLines()).filter(({ msg }) => /data folder/.test(msg)).map(({ msg }) => msg)
  assert.deepEqual(lines, [LOG_MOVED, LOG_BACK, LOG_MOVED, LOG_BACK, LOG_MOVED])
})

test('with one damaged page of the database, requests that need it get 503, the service is degraded, and this is logged', async t => {
  const { database, api, readyz, stop, logLines } = await serving(t)
  checkpoint(database)
  const connection = new DatabaseSync(database)
  const page = Number(connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'object'").get()?.rootpage)
  const size = Number(connection.prepare('PRAGMA page_size').get()?.page_size)
  connection.close()
  await using file = await open(database, 'r+')
  await file.write(new Uint8Array(size), 0, size, (page - 1) * size)
  assert.equal(await api('/pages'), 503)
  await until(readyz, DEGRADED)
  assert.equal(await stop(), 0)
  const lines = (await logLines()).filter(({ level }) => level >= 50).map(({ msg }) => msg)
  assert.match(lines.join('\n'), /^content of the store is damaged, so requests for it fail: the database is damaged: /)
})

test('with a full disk, only token requests get 503 until there is space', needs('right to mount'), async t => {
  const disk = await temporaryFolder()
  const unmount = mountDisk(disk, { megabytes: 120 })
  try {
    const { url, api, readyz, askToken, stop, logLines } = await serving(t, { disk })
    const diskUp = async () =>
      /^housestyle_store_up\{part="disk"\} (\d)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]
    assert.equal(await diskUp(), '1')
    assert.equal((await askToken()).status, 200)
    fillDisk(join(disk, 'other'))
    assert.deepEqual([await api('/pages'), (await askToken()).status], [200, 503])
    await until(readyz, [200, 'degraded: disk\n', 'text/plain'])
    assert.equal(await diskUp(), '0')
    assert.equal(await api('/pages'), 200)
    await rm(join(disk, 'other'))
    assert.equal((await askToken()).status, 200)
    await until(readyz, READY)
    fillDisk(join(disk, 'other'), 40 << 20)
    await until(readyz, [200, 'degraded: disk\n', 'text/plain'])
    assert.equal((await askToken()).status, 200)
    await rm(join(disk, 'other'))
    await until(readyz, READY)
    assert.equal(await stop(), 0)
    const lines = (await logLines()).filter(({ level }) => level >= 50).map(({ msg }) => msg)
    const full = 'the disk is full: free some space'
    assert.equal(lines.filter(line => line === `a request failed: ${full}`).length, 1)
    const low =
      /^cannot write to the store; published content is still served: the disk .* full|has \d+ MiB left, and a publication may need 64 MiB; free some space$/
    assert.equal(lines.filter(line => low.test(line)).length, 2)
  } finally {
    unmount()
  }
})

test('a file that cannot be opened for lack of descriptors gets 503, and the log says how to fix it', async () => {
  const temporary = await publishedStore('acme/guide', { 'guide/pages/a.md': '# A\n', 'guide/files/a.txt': 'a' })
  const { token } = await temporary.issue('acme')
  const lines: string[] = []
  const log = { ...silent, error: (_: object, message: string) => void lines.push(message) }
  const { url } = await runningService(temporary, {}, log)
  const headers = { Authorization: `Bearer ${token}` }
  const list = await fetch(`${url}/beta/workspace/acme/project/guide/files`, { headers })
  const { files } = JSON.parse(await list.text())
  const { open: openFile } = temporary.store.files
  temporary.store.files.open = async () => {
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  }
  const { status, headers: fields } = await fetch(files[0].url)
  assert.deepEqual([status, fields.get('Retry-After')], [503, '1'])
  temporary.store.files.open = openFile
  assert.equal(await (await fetch(files[0].url)).text(), 'a')
  assert.deepEqual(lines, [
    'a request failed: the process has no file descriptors left: raise its limit (ulimit -n, LimitNOFILE= of systemd)',
  ])
})

test('a service whose database has lost its write-ahead log is not ready, since it misses the writes of other processes', async t => {
  const { database, readyz } = await serving(t)
  assert.deepEqual(await readyz(), READY)
  for (const end of ['-wal', '-shm']) await rm(database + end)
  assert.deepEqual(await readyz(), MOVED)
})

/** Ways to take the files of a running service away. Each returns a function that brings them back. */
const TAKEN: Readonly<Record<string, (files: string) => Promise<() => Promise<void>>>> = {
  'is moved away': async files => {
    await rename(files, `${files}-moved`)
    return () => rename(`${files}-moved`, files)
  },
  'is replaced by another': async files => {
    await rename(files, `${files}-moved`)
    await mkdir(join(files, 'acme'), { recursive: true })
    return async () => {
      await rm(files, { recursive: true })
      await rename(`${files}-moved`, files)
    }
  },
  'is replaced by a file': files => replaceFolder(files, () => writeFile(files, '')),
  'is replaced by a link to itself': files => replaceFolder(files, () => symlink('files', files)),
  'is replaced by a link to nothing': files => replaceFolder(files, () => symlink('nothing', files)),
  'is replaced by a pipe': files =>
    replaceFolder(files, async () => assert.equal(spawnSync('mkfifo', [files]).status, 0)),
  'is emptied': async files => {
    await rename(join(files, 'acme'), `${files}-acme`)
    return () => rename(`${files}-acme`, join(files, 'acme'))
  },
}

/** Moves the folder away and creates something else there. */
async function replaceFolder(files: string, put: () => Promise<void>): Promise<() => Promise<void>> {
  await rename(files, `${files}-moved`)
  await put()
  return async () => {
    await rm(files)
    await rename(`${files}-moved`, files)
  }
}

test('a service whose folder of files is taken away becomes unready at once, answers file requests with 503, and recovers by itself', async t => {
  const { data, api, readyz, fileUrls, stop, logLines } = await serving(t)
  const [file = ''] = await fileUrls()
  const archive = file.replace(/\/-\/files\/.*$/, '/-/files.zip')
  const statuses = async () => [(await fetch(file)).status, (await fetch(archive)).status]
  assert.deepEqual(await statuses(), [200, 200])
  for (const [name, take] of Object.entries(TAKEN)) {
    const bringBack = await take(join(data, 'files'))
    for (const url of [file, archive]) {
      const refused = await fetch(url)
      assert.deepEqual(
        [refused.status, ...['Retry-After', 'Cache-Control', 'Content-Type'].map(each => refused.headers.get(each))],
        [503, '1', 'no-store', 'application/json'],
        name,
      )
      assert.equal(Reflect.get(Object(await refused.json()), 'error'), 'temporarily_unavailable')
    }
    assert.deepEqual(await readyz(), MOVED, name)
    assert.equal(await api('/pages'), 200)
    await bringBack()
    assert.deepEqual([await statuses(), await readyz()], [[200, 200], READY], name)
  }
  assert.equal(await stop(), 0)
  const lines = (await logLines()).filter(({ level, msg }) => level >= 40 || /back/.test(msg)).map(({ msg }) => msg)
  const expected = Object.keys(TAKEN).flatMap(() => [LOG_MOVED, LOG_BACK])
  assert.deepEqual(lines, expected)
})
