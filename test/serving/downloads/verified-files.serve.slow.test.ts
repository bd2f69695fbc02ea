import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { copyFile, open, rename } from 'node:fs/promises'
import test from 'node:test'
import { isHash } from '#brand/ids.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { type RunningService, runningService } from '../../support/service.ts'
import { publishedStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

/* These tests change bytes of stored files while a service runs. */

/** More bytes than are checked before the first byte is sent. */
const LARGE = Buffer.alloc((64 << 20) + (1 << 20), 'large ')
const MEDIUM = Buffer.alloc(300_000, 'medium ')
const PICTURE = readFileSync('examples/acme/guidelines/files/images/acme-share.png')
const SMALL = Buffer.alloc(5000, 'small ')

/** A service of one public project, with these further files, and its log lines. */
async function serving(more: Readonly<Record<string, Uint8Array>> = {}) {
  const temporary = await publishedStore('acme/brand', {
    'brand/project.yaml': 'name: Brand\nvisibility: public\n',
    'brand/pages/index.md': '# Brand\n',
    'brand/files/a-small.bin': SMALL,
    'brand/files/b/medium.bin': MEDIUM,
    'brand/files/d/share.png': PICTURE,
    ...more,
  })
  const lines: { level: string; text: string; content: unknown }[] = []
  const noting = (level: string) => (fields: object, text: string) =>
    void lines.push({ level, text, content: Reflect.get(fields, 'content') })
  const log: Log = { error: noting('error'), warn: noting('warn'), info: noting('info'), debug: () => undefined }
  const service = await runningService(temporary, {}, log)
  const { token } = await temporary.issue('acme')
  const list = await fetch(`${service.url}/beta/workspace/acme/project/brand/files`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { files }: { files: { filename: string; url: string }[] } = JSON.parse(await list.text())
  const urlOf = (name: string) => files.find(({ filename }) => filename === name)?.url ?? ''
  const pathOf = (bytes: Uint8Array) => {
    const name = hash('sha256', bytes)
    assert.ok(isHash(name))
    return temporary.store.files.pathOf('acme', name)
  }
  return { service, urlOf, pathOf, damageLines: () => lines.filter(({ content }) => content !== undefined) }
}

/** Changes the second-to-last byte, without changing the length. */
async function change(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  const { size } = await file.stat()
  await file.write(Buffer.from('?'), 0, 1, size - 2)
}

/** Replaces wrong bytes with the right ones, as a restore does. */
async function repair(path: string, bytes: Uint8Array): Promise<void> {
  await copyFile(path, `${path}-right`)
  await using file = await open(`${path}-right`, 'r+')
  await file.writeFile(bytes)
  await rename(`${path}-right`, path)
}

/** The status of a reply, and its length or that it broke off. */
async function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<unknown[]> {
  const reply = await fetch(url, { method, headers })
  const bytes = await reply.arrayBuffer().catch(() => undefined)
  if (reply.status === 503) {
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    assert.equal(reply.headers.get('etag'), null)
  }
  return [reply.status, reply.status < 300 ? (bytes?.byteLength ?? 'broken off') : 'error']
}

async function readyz({ url }: RunningService): Promise<string> {
  return (await (await fetch(`${url}/readyz`)).text()).trim()
}

async function metric({ url }: RunningService, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return new RegExp(`^${name}\\{part="files"\\} (.*)$`, 'm').exec(text)?.[1]
}

const RANGE = { range: 'bytes=0-9' }

for (const [name, file, bytes] of [
  ['5 kB', 'a-small.bin', SMALL],
  ['300 kB', 'medium.bin', MEDIUM],
] as const)
  test(`a file of ${name} with a changed byte gets 503 for GET, ranges and HEAD until it is repaired`, async () => {
    const { service, urlOf, pathOf, damageLines } = await serving()
    const url = urlOf(file)
    const requests = [() => get(url), () => get(url, RANGE), () => get(url, {}, 'HEAD')] as const
    const before = await Promise.all(requests.map(ask => ask()))
    const statuses = before.map(([status]) => status)
    assert.deepEqual(statuses, [200, 206, 200])
    assert.equal(await metric(service, 'housestyle_content_damaged'), '0')
    await change(pathOf(bytes))
    for (const ask of requests) assert.deepEqual(await ask(), [503, 'error'])
    assert.equal(await readyz(service), 'degraded: files')
    assert.equal(await metric(service, 'housestyle_content_damaged'), '1')
    const etag = `"${hash('sha256', bytes)}"`
    assert.deepEqual(await get(url, { 'if-none-match': etag }), [304, 'error'], 'a 304 has no bytes')
    await repair(pathOf(bytes), bytes)
    for (const [at, ask] of requests.entries()) assert.deepEqual(await ask(), before[at])
    assert.equal(await readyz(service), 'ready')
    assert.equal(await metric(service, 'housestyle_content_damaged'), '0')
    assert.equal(await metric(service, 'housestyle_content_damage_found_total'), '1')
    assert.deepEqual(damageLines(), [
      {
        level: 'error',
        text: `content of the store is damaged, so requests for it fail: ${pathOf(bytes)} is damaged: its bytes do not have its hash; see \`housestyle doctor\``,
        content: pathOf(bytes),
      },
      { level: 'info', text: 'damaged content was repaired or removed', content: pathOf(bytes) },
    ])
  })

test('a file of more than 64 MiB with a changed byte breaks off before its end, and then gets 503 until it is repaired', async () => {
  const { service, urlOf, pathOf } = await serving({ 'brand/files/c/large.bin': LARGE })
  const url = urlOf('large.bin')
  await change(pathOf(LARGE))
  assert.deepEqual(await get(url), [200, 'broken off'])
  assert.equal(await readyz(service), 'degraded: files')
  assert.deepEqual(await get(url), [503, 'error'])
  assert.deepEqual(await get(url, RANGE), [503, 'error'])
  assert.deepEqual(await get(url, {}, 'HEAD'), [503, 'error'])
  await repair(pathOf(LARGE), LARGE)
  assert.deepEqual(await get(url), [200, LARGE.length])
  assert.equal(await readyz(service), 'ready')
})

test('the service becomes ready once damaged files are repaired, without a request for them', async () => {
  const { service, urlOf, pathOf } = await serving()
  await change(pathOf(MEDIUM))
  assert.deepEqual(await get(urlOf('medium.bin')), [503, 'error'])
  assert.equal(await readyz(service), 'degraded: files')
  await repair(pathOf(MEDIUM), MEDIUM)
  await until(async () => (await readyz(service)) === 'ready')
})

test('an archive breaks off at a damaged file, or gets 503 if that is among its first bytes', async () => {
  const { service, urlOf, pathOf } = await serving()
  const archive = `${service.url}/acme/brand/-/files.zip`
  const kit = `${service.url}/acme/brand/-/kits/d.zip`
  const [whole, wholeKit] = [await get(archive), await get(kit)]
  assert.deepEqual([whole[0], wholeKit[0]], [200, 200])
  await change(pathOf(PICTURE))
  assert.deepEqual(await get(archive), [200, 'broken off'])
  assert.deepEqual(await get(kit), [503, 'error'])
  assert.equal(await readyz(service), 'degraded: files')
  await change(pathOf(SMALL))
  assert.deepEqual(await get(urlOf('a-small.bin')), [503, 'error'])
  assert.deepEqual(await get(archive), [503, 'error'])
  await repair(pathOf(PICTURE), PICTURE)
  await repair(pathOf(SMALL), SMALL)
  assert.deepEqual([await get(archive), await get(kit)], [whole, wholeKit])
})

test('a damaged picture has no thumbnail until it is repaired', async () => {
  const { service, pathOf } = await serving()
  const page = await (await fetch(`${service.url}/acme/brand/-/files`)).text()
  const [thumbnail = ''] = /\/acme\/brand\/-\/thumbnails\/[^ "]*/.exec(page) ?? []
  assert.notEqual(thumbnail, '')
  await change(pathOf(PICTURE))
  assert.deepEqual(await get(service.url + thumbnail), [503, 'error'])
  assert.equal(await readyz(service), 'degraded: files')
  await repair(pathOf(PICTURE), PICTURE)
  // On a busy machine, it redirects to the file until it is made.
  await until(async () => {
    const { status, headers } = await fetch(service.url + thumbnail, { redirect: 'manual' })
    return status === 200 && headers.get('content-type') === 'image/webp'
  })
  assert.equal(await readyz(service), 'ready')
})
