import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readSettings } from '#platform/settings/settings.ts'
import { parseBucketAddress } from '#platform/settings/shared-addresses.ts'
import { startService } from '#program/compose/compose.ts'
import { openBucket } from '#store/files/s3/bucket.ts'
import { openSharedStore } from '#store/shared-store.ts'
import { housestyle } from '../program/cli/housestyle.ts'
import { type Fault, SWIFT, startS3 } from '../support/s3.ts'
import { silent } from '../support/service.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'

const { skip } = SWIFT
const server = skip ? undefined : await startS3()
after(() => server?.stop())

const LARGE = randomBytes(2 << 20)

const BRAND = {
  'guidelines/project.yaml': 'name: Guidelines\nvisibility: public\n',
  'guidelines/files/notes.txt': 'Notes.\n',
  'guidelines/files/large.bin': LARGE,
}

/** Most tests only read this brand. */
const published = skip ? undefined : await publishBrand()

/** A published brand whose files are in a new bucket. */
async function publishBrand() {
  const files = (await server?.newPlace()) ?? ''
  const folder = await temporaryFolder()
  const [brand, data] = [join(folder, 'acme'), join(folder, 'data')]
  await writeFolder(brand, BRAND)
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await housestyle([...args, '--data', data, '--files', files])
    return { status, output: stdout + stderr }
  }
  assert.equal((await run('import', brand)).status, 0)
  assert.equal((await run('publish', '--all')).status, 0)
  return { files, folder, brand, data, run }
}

function readBrand() {
  assert.ok(published)
  return published
}

test('every command works on files in a bucket, and gc and doctor look through it', { skip }, async () => {
  const { run, brand } = await publishBrand()
  assert.match((await run('doctor')).output, /^no problems$/m)
  await writeFolder(brand, { 'guidelines/files/notes.txt': 'Other notes.\n', 'guidelines/files/large.bin': 'small' })
  assert.equal((await run('import', brand)).status, 0)
  assert.equal((await run('publish', '--all')).status, 0)
  const freed = JSON.parse((await run('gc', '--keep', '1', '--json')).output)
  assert.deepEqual([freed.files, freed.missing], [2, []])
  assert.match((await run('doctor')).output, /^no problems$/m)
})

test('doctor names an object whose bytes do not match its name', { skip }, async () => {
  const { run } = await publishBrand()
  server?.fail({ how: 'wrong-bytes', which: /^GET \/[^?]*\/[0-9a-f]{64}\?/ })
  const { status, output } = await run('doctor', '--json')
  server?.fail()
  const found: { subject: string; message: string }[] = JSON.parse(output)
  assert.equal(status, 1)
  const seen = new Set(found.map(({ message }) => message))
  assert.deepEqual(seen, new Set(['has changed: its bytes do not match its hash']))
  assert.match(found[0]?.subject ?? '', /^s3:\/\/bucket\d+\/housestyle\/acme\/[0-9a-f]{2}\/[0-9a-f]{64}$/)
})

test('doctor names a damaged list of blocks', { skip }, async () => {
  const { run } = await publishBrand()
  server?.fail({ how: 'wrong-bytes', which: /^GET .*\.blocks\?/ })
  const { status, output } = await run('doctor', '--json')
  server?.fail()
  const found: { subject: string; message: string; fix: string }[] = JSON.parse(output)
  assert.deepEqual([status, found.length], [1, 1])
  assert.match(found[0]?.subject ?? '', /\/[0-9a-f]{64}\.blocks$/)
  assert.equal(found[0]?.message, 'has changed: its bytes do not match its hash')
  assert.match(found[0]?.fix ?? '', /^remove it, then import and publish its brand folder again/)
})

test('an import adds missing lists of blocks of large files, and the next import adds nothing', { skip }, async () => {
  const { files, run, brand } = await publishBrand()
  const address = parseBucketAddress(files, {})
  assert.ok(address)
  const bucket = openBucket(address)
  const keys = async () => (await Array.fromAsync(bucket.list(address.prefix))).map(({ key }) => key)
  const before = await keys()
  const lists = before.filter(key => key.endsWith('.blocks'))
  assert.equal(lists.length, 1)
  for (const key of lists) await bucket.remove(key)
  assert.match((await run('doctor')).output, /\.blocks is missing\n {4}→ import and publish its brand folder again/)
  assert.equal((await run('import', brand)).status, 0)
  assert.deepEqual(await keys(), before)
  assert.match((await run('doctor')).output, /^no problems$/m)
  server?.seen.splice(0)
  assert.equal((await run('import', brand)).status, 0)
  const uploads = server?.seen.filter(name => name.startsWith('PUT'))
  assert.deepEqual(uploads, [])
})

test('files in a bucket without their database are never mistaken for a new store', { skip }, async () => {
  const { data, run, brand } = await publishBrand()
  await rm(data, { recursive: true })
  for (const args of [['status'], ['import', brand], ['gc']]) {
    const { status, output } = await run(...args)
    assert.equal(status, 1)
    assert.match(output, /contains no store, but there are files of one; restore a backup/)
  }
})

test('a store is not opened with the files of another store, nor if its own files are missing', { skip }, async () => {
  const [{ data }, { files }] = [readBrand(), await publishBrand()]
  const other = await housestyle(['status', '--data', data, '--files', files])
  assert.match(other.stderr, /belongs to another store than its files/)
  const none = await housestyle(['status', '--data', data, '--files', (await server?.newPlace()) ?? ''])
  assert.match(none.stderr, /refers to files, but there are none; name the files that belong to it/)
  assert.deepEqual([other.status, none.status], [1, 1])
})

test('an unusable bucket causes a clear message, and nothing is created', { skip }, async () => {
  const folder = await temporaryFolder()
  const place = `s3://nowhere?endpoint=${server?.endpoint}`
  const { status, stderr } = await housestyle(['status', '--data', join(folder, 'data'), '--files', place])
  assert.equal(status, 1)
  assert.match(stderr, /cannot use bucket nowhere at http.*; create the bucket, or name another with --files/)
})

const AWAY: readonly Fault['how'][] = ['error', 'stalled']

for (const how of AWAY)
  test(`a service starts while its bucket is silent (${how}), says so, and serves files later`, { skip }, async () => {
    const { data, files, run } = readBrand()
    server?.fail({ how })
    const flags = { data, files, port: '0', rate: 'off' }
    const settings = readSettings({ flags, environment: {}, file: {}, trust: [], readSecret: () => '' })
    const lines: string[] = []
    const note = (_: object, line: string) => void lines.push(line)
    const store = await openSharedStore(settings)
    const { url, stop } = await startService(settings, store, { ...silent, error: note, info: note })
    try {
      const readyz = async () => (await fetch(`${url}/readyz`)).text()
      assert.equal(await readyz(), 'degraded: files\n')
      assert.match(await (await fetch(`${url}/metrics`)).text(), /^housestyle_store_up\{part="files"\} 0$/m)
      const page = await (await fetch(`${url}/acme/guidelines/-/files`)).text()
      const [, path = ''] = /href="(\/acme\/guidelines\/-\/files\/[^"]*notes\.txt)"/.exec(page) ?? []
      assert.equal((await fetch(url + path)).status, 503)
      server?.fail()
      while ((await readyz()) !== 'ready\n') await sleep(50)
      assert.equal(await (await fetch(url + path)).text(), 'Notes.\n')
      assert.match(lines.join('\n'), /^cannot read the files; the service keeps answering from memory: .*\n.*again$/)
      assert.equal((await run('status')).status, 0)
    } finally {
      server?.fail()
      await stop()
      await store.close()
    }
  })

test('no store is created while its bucket does not answer, nor opened if that denies access', { skip }, async () => {
  const { run } = await publishBrand()
  const folder = await temporaryFolder()
  const place = (await server?.newPlace()) ?? ''
  server?.fail({ how: 'error' })
  const { status, stderr } = await housestyle(['status', '--data', join(folder, 'data'), '--files', place])
  server?.fail({ how: 'denied' })
  const denied = await run('status')
  server?.fail()
  assert.deepEqual([status, denied.status], [1, 1])
  assert.match(stderr, /\(500 InternalError\); the server is overloaded or failing/)
  assert.match(denied.output, /\(403 AccessDenied\); allow its key to list the bucket/)
})

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

for (const isBucket of [false, true])
  test(`a service with files in a ${isBucket ? 'bucket loads' : 'folder lacks'} the S3 client`, { skip }, async () => {
    const flags = {
      data: join(await temporaryFolder(), 'data'),
      files: isBucket ? await server?.newPlace() : '',
      port: '0',
    }
    const script = `
      import { registerHooks } from 'node:module'
      const urls = []
      registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
      const { startService } = await import('./src/program/compose/compose.ts')
      const { withStore } = await import('./src/program/compose/store.ts')
      const { readSettings } = await import('./src/platform/settings/settings.ts')
      const settings = readSettings({ flags: ${JSON.stringify(flags)}, environment: {}, file: {}, trust: [], readSecret: String })
      const log = { error() {}, warn() {}, info() {}, debug() {} }
      await withStore(settings, async store => (await startService(settings, store, log)).stop())
      console.log(urls.some(url => /@aws-sdk|@smithy/.test(url)), urls.some(url => url.includes('/pg/')))`
    const output = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: ROOT,
      timeout: 300_000,
    })
    assert.match(output.stdout, isBucket ? /^true/ : /^false false/)
  })
