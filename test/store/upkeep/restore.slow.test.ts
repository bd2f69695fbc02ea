import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFile, chmod, mkdir, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { OPERATIONS } from '#brand/contract/operations.ts'
import { storedObject } from '#brand/snapshot.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { unwrap } from '#program/cli/failure.ts'
import { startService } from '#program/compose/compose.ts'
import { rollback } from '#publishing/history.ts'
import { projectStates } from '#publishing/status.ts'
import { addConnection } from '#store/access/connections.ts'
import { listSignins } from '#store/access/signins.ts'
import { SCHEMA } from '#store/database/migrate.ts'
import { openStore, type Store } from '#store/store.ts'
import { MANIFEST, writeArchive } from '#store/upkeep/archive.ts'
import { backUp } from '#store/upkeep/backup.ts'
import { examineFolder, examineStore } from '#store/upkeep/doctor.ts'
import { gc } from '#store/upkeep/gc.ts'
import { restore } from '#store/upkeep/restore.ts'
import { freePort } from '../../support/free-port.ts'
import { allowIssuer, sessionCookie } from '../../support/people-service.ts'
import { needs } from '../../support/programs.ts'
import { silent } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { resultOf, SMALL_BRAND, type TemporaryStore, temporaryStore } from '../../support/temporary-store.ts'
import { UPKEEP } from './options.ts'

const PUBLIC_URL = 'https://brand.example.com'

/** A store with a history, and its backup. */
async function backedUp(): Promise<TemporaryStore & { file: string }> {
  const here = await temporaryStore(PUBLIC_URL)
  await here.importing('acme', SMALL_BRAND)
  for (const project of ['guidelines', 'empty']) await here.publish(`acme/${project}`)
  await here.publishing('acme/guidelines', { 'guidelines/files/notes.txt': 'Other notes.\n' })
  await here.importing('acme', { 'guidelines/files/notes.txt': 'Notes of a draft.\n' })
  const file = join(here.folder, 'backup.tar')
  await backUp(here.store, file, UPKEEP)
  return { ...here, file }
}

test('a restored store gives the same bytes as the original for every operation and file', async () => {
  const here = await backedUp()
  const { token } = await here.issue('acme')
  const file = join(here.folder, 'later.tar')
  await backUp(here.store, file, UPKEEP)
  const data = join(here.folder, 'restored')
  const restored = await restore(file, data, UPKEEP)
  assert.deepEqual([restored.data, restored.projects], [data, 3])
  const store = await openStore(data)
  assert.deepEqual(await projectStates(store, {}), await projectStates(here.store, {}))
  const [before, after] = [await everythingOf(here.store, token), await everythingOf(store, token)]
  assert.deepEqual(after, before)
  const seen = new Set(before.map(({ operation }) => operation))
  assert.deepEqual(seen, new Set([...OPERATIONS.map(({ id }) => id), 'file']))
  assert.deepEqual(new Set(before.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(await examineStore(store, UPKEEP), [])
  const back = unwrap(await rollback(store, { workspace: 'acme', project: 'guidelines' }, 1, new Date()))
  assert.equal(back.revision, 3)
  await store.close()
})

test('a restore names everything that has access again, also what was ended after the backup', async () => {
  const here = await backedUp()
  const command = (...args: string[]) => resultOf(here.folder, args)
  const { jti } = await command('token', 'issue', 'acme')
  const ended = await command('token', 'issue', 'acme')
  await command('token', 'revoke', ended.jti)
  const { id: share } = await command('share', 'acme/guidelines')
  const { client_id: client } = await command('client', 'create', 'acme')
  const issuer = ['--client-id', 'c', '--allow-domain', 'acme.com']
  const { id: signin } = await command('signin', 'add', 'acme', '--issuer', 'https://login.example', ...issuer)
  const file = join(here.folder, 'with-access.tar')
  await backUp(here.store, file, UPKEEP)
  for (const args of [
    ['token', 'revoke', jti],
    ['share', 'revoke', share],
    ['client', 'delete', client],
    ['signin', 'remove', signin],
  ])
    await command(...args)
  const keys = (await command('keys', 'list')).map(({ kid }: { kid: string }) => kid)
  const data = join(here.folder, 'revived')
  const { access } = await restore(file, data, UPKEEP)
  assert.deepEqual(access, { tokens: [jti], shares: [share], clients: [client], issuers: [signin], keys })
  assert.deepEqual((await restore(file, data, UPKEEP)).access, access)
})

type Reply = { operation: string; path: string; status: number; headers: string[][]; bytes: string }

/** All replies of a service of the store to this token, over a socket. */
async function everythingOf(store: Store, token: string): Promise<Reply[]> {
  const flags = { port: '0', rate: 'off', publicUrl: PUBLIC_URL }
  const settings = readSettings({ flags, environment: {}, file: {}, trust: [], readSecret: () => '' })
  const port = await freePort()
  const { stop } = await startService({ ...settings, port }, store, silent)
  const replies: Reply[] = []
  const ask = async (operation: string, path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const headers = [...reply.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    replies.push({ operation, path, status: reply.status, headers, bytes: bytes.toString('base64') })
    return bytes
  }
  const workspace = '/beta/workspace/acme'
  await ask('getWorkspace', workspace)
  const { projects } = JSON.parse(String(await ask('listProjects', `${workspace}/projects`)))
  for (const { id } of projects) {
    const project = `${workspace}/project/${id}`
    await ask('getProject', project)
    const { pages } = JSON.parse(String(await ask('listPages', `${project}/pages`)))
    for (const page of pages) await ask('getPage', `${project}/page/${encodeURIComponent(page.id)}`)
    await ask('getStyles', `${project}/styles`)
    const { files } = JSON.parse(String(await ask('listFiles', `${project}/files`)))
    for (const { url } of files) await ask('file', url.slice(PUBLIC_URL.length))
  }
  await stop()
  return replies
}

test('a backup is an archive that tar reads, and only its owner may read it', needs('tar'), async () => {
  const { file, folder } = await backedUp()
  const out = join(folder, 'out')
  await mkdir(out)
  execFileSync('tar', ['xf', file], { cwd: out })
  execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: out })
  assert.deepEqual((await readdir(out)).sort(), ['SHA256SUMS', 'catalogue.db', 'files', 'housestyle.json'])
  assert.deepEqual(Object.keys(JSON.parse(await readFile(join(out, MANIFEST), 'utf8'))), [
    'format',
    'schema',
    'tables',
    'made',
  ])
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const kept = (await readdir(folder)).filter(name => name.startsWith('backup'))
  assert.deepEqual(kept, ['backup.tar'])
  const data = join(folder, 'restored')
  await restore(file, data, UPKEEP)
  assert.deepEqual(await examineFolder(data, async () => Number.POSITIVE_INFINITY), [])
  assert.deepEqual((await readdir(data)).sort(), ['.gitignore', 'files', 'housestyle.db', 'locks'])
})

test('a backup has the settings of sign-in, and nothing of sessions, connections and codes; tokens of connections are revoked in it', async () => {
  const here = await temporaryStore()
  await here.importing('acme', SMALL_BRAND)
  const { database } = here.store
  const signin = await allowIssuer(here, 'https://login.example')
  const cookie = await sessionCookie(here, 'acme', { name: 'Zebra Person' })
  const [session = ''] = cookie.split('=')[1]?.split('.') ?? []
  const { jti: kept } = await here.issue('acme')
  const { jti } = await here.issue('acme')
  await database.transaction(async queries => {
    const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) }
    const place = { workspace: 'acme', subject: 'zebra', resource: 'x', scope: 'document.read' }
    await addConnection(queries, {
      id: 'zebra-connection',
      client: 'zebra-client',
      origin: { session },
      ...place,
      ...times,
    })
    await queries.run("UPDATE token SET connection = 'zebra-connection' WHERE jti = ?", jti)
    const insert = 'INSERT INTO authorization_state (kind, id, payload, expires_at) VALUES (?, ?, ?, ?)'
    await queries.run(insert, 'code', 'zebra-code', `{"zebra":"${'x'.repeat(9000)}"}`, 9e12)
  })
  const file = join(here.folder, 'sessions.tar')
  await backUp(here.store, file, UPKEEP)
  const bytes = await readFile(file, 'latin1')
  assert.equal(bytes.includes('login.example'), true)
  for (const secret of ['ebra', session, 'x'.repeat(100)]) assert.equal(bytes.includes(secret), false, secret)
  const data = join(here.folder, 'restored')
  await restore(file, data, UPKEEP)
  const restored = await openStore(data)
  const seen = (await listSignins(restored.database)).map(({ id, issuer }) => [id, issuer])
  assert.deepEqual(seen, [[signin, 'https://login.example']])
  const live = await restored.database.all('SELECT jti FROM token WHERE revoked_at IS NULL')
  const jtis = live.map(({ jti }) => jti)
  assert.deepEqual(jtis, [kept])
  assert.ok(await restored.database.get('SELECT jti FROM token WHERE jti = ? AND revoked_at IS NOT NULL', jti))
  for (const table of ['session', 'connection', 'authorization_state'])
    assert.deepEqual(await restored.database.all(`SELECT * FROM ${table}`), [])
  assert.ok(await database.get('SELECT id FROM session'))
  await restored.close()
})

test('a backup is a consistent copy, even during imports, publications and gc', async () => {
  const here = await backedUp()
  const file = join(here.folder, 'busy.tar')
  let turn = 0
  let isDone = false
  const busy = (async () => {
    while (!isDone) {
      await here.publishing('acme/guidelines', { 'guidelines/files/notes.txt': `Turn ${++turn}.\n` })
      const outcome = gc(here.store, { ...UPKEEP, keep: { count: 1 }, isDryRun: false, maxWaitMs: 0 })
      await outcome.catch(error => assert.equal(error.code, 'store_in_use'))
    }
  })()
  for (let at = 0; at < 5; at++) {
    await backUp(here.store, `${file}${at}`, UPKEEP)
    const data = join(here.folder, `busy${at}`)
    await restore(`${file}${at}`, data, UPKEEP)
    const store = await openStore(data)
    assert.deepEqual(await examineStore(store, UPKEEP), [])
    await store.close()
  }
  isDone = true
  await busy
  assert.ok(turn > 1)
})

test('a backup fails if the file exists or cannot be written, or the store is damaged', async () => {
  const { store, folder, file } = await backedUp()
  const before = await readFile(file)
  await assert.rejects(backUp(store, file, UPKEEP), { message: `${file} already exists: name another file` })
  assert.deepEqual(await readFile(file), before)
  await assert.rejects(backUp(store, join(folder, 'no/b.tar'), UPKEEP), {
    code: 'folder_unwritable',
    message: /^cannot write /,
  })
  const kept = (await Array.fromAsync(store.files.listAll()))[0]
  assert.ok(kept)
  const path = store.files.pathOf(kept.workspace, kept.hash)
  for (const [damage, what] of [
    [() => writeFile(path, 'x'.repeat(kept.size)), 'has changed'],
    [() => store.files.remove(kept), 'is missing'],
  ] as const) {
    await damage()
    const other = join(folder, 'other.tar')
    const message = `cannot back up: ${path} ${what}; see \`housestyle doctor\``
    await assert.rejects(backUp(store, other, UPKEEP), { code: 'store_damaged', message })
    const unexpected = (await readdir(folder)).filter(name => name.startsWith('other'))
    assert.deepEqual(unexpected, [])
  }
})

test('a store with a damaged page text is not backed up, and the error names the object', async () => {
  const { store, folder } = await backedUp()
  const { hash } = storedObject(Buffer.from('# Hidden\n'))
  await store.database.run('UPDATE object SET bytes = ? WHERE hash = ?', Buffer.from('# H1dden\n'), hash)
  const message = `cannot back up: object ${hash} of workspace acme has changed; see \`housestyle doctor\``
  await assert.rejects(backUp(store, join(folder, 'text.tar'), UPKEEP), { code: 'store_damaged', message })
  assert.ok(!(await readdir(folder)).includes('text.tar'))
})

test('a truncated archive is refused with the reason, also into an empty folder, which stays empty and usable', async () => {
  const { file, folder } = await backedUp()
  const [data, truncated] = [join(folder, 'restored'), join(folder, 'truncated.tar')]
  await writeFile(truncated, (await readFile(file)).subarray(0, 1024))
  await mkdir(data)
  await assert.rejects(restore(truncated, data, UPKEEP), {
    code: 'backup_damaged',
    message: /: it is truncated; no store was created, use /,
  })
  const unexpected = (await readdir(data)).filter(name => name !== 'locks')
  assert.deepEqual(unexpected, [])
  await restore(file, data, UPKEEP)
})

for (const [about, code, said] of [
  [{ format: 2, tables: 1, made: '' }, 'backup_newer', /was made by a newer housestyle: restore it with that version$/],
  [
    { format: 1, schema: SCHEMA, tables: 999, made: '' },
    'backup_newer',
    /was made by a newer housestyle: restore it with that version$/,
  ],
  [{ format: 1, tables: 27, made: '' }, 'store_earlier', /: it is from a checkout before housestyle 0\.1\.0, /],
  [{ name: 'other' }, 'backup_damaged', /: it is not a housestyle backup; no store was created, use another backup$/],
  ['{', 'backup_damaged', /: it is not a housestyle backup; no store was created, use another backup$/],
] as const)
  test(`an archive with the manifest ${JSON.stringify(about)} is refused`, async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'b.tar')
    const file = await open(path, 'wx')
    const archive = writeArchive(file, new Date())
    const text = Buffer.from(JSON.stringify(about))
    await archive.add(MANIFEST, text.length, Readable.from([text]))
    await archive.finish()
    await file.close()
    await assert.rejects(restore(path, join(folder, 'data'), UPKEEP), { code, message: said })
    assert.deepEqual(await readdir(folder), ['b.tar'])
  })

test('a restore needs an empty folder, apart from leftovers of a killed restore', async () => {
  const { file, folder, data: full } = await backedUp()
  const message = (data: string) =>
    `${data} is not empty: restore into a new folder, for example with --data ${data}-restored`
  await assert.rejects(restore(file, full, UPKEEP), { message: message(full) })
  const data = join(folder, 'restored')
  await mkdir(join(data, 'files'), { recursive: true })
  await assert.rejects(restore(file, data, UPKEEP), { message: message(data) })
  assert.deepEqual(await readdir(data), ['files'])
  await mkdir(join(data, '.restoring'))
  await writeFile(join(data, '.restoring/catalogue.db'), 'half')
  await appendFile(join(data, '.gitignore'), '*\n')
  await restore(file, data, UPKEEP)
  assert.deepEqual((await readdir(data)).sort(), ['.gitignore', 'files', 'housestyle.db', 'locks'])
})

test('a restore into a folder that has the complete result of the same backup says so, and changes nothing', async () => {
  const { file, folder } = await backedUp()
  const data = join(folder, 'restored')
  const first = await restore(file, data, UPKEEP)
  const before = await readFile(join(data, 'housestyle.db'))
  // A restore that is killed in its last step leaves this folder.
  await mkdir(join(data, '.restoring'))
  await writeFile(join(data, '.restoring/catalogue.db'), before)
  assert.deepEqual(await restore(file, data, UPKEEP), { ...first, complete: true })
  assert.deepEqual((await readdir(data)).sort(), ['.gitignore', 'files', 'housestyle.db', 'locks'])
  assert.deepEqual(await readFile(join(data, 'housestyle.db')), before)
})

test('a restore into a folder whose store lacks a file, has another byte in one, has changed, or comes from another backup is refused', async () => {
  const here = await backedUp()
  const other = join(here.folder, 'other.tar')
  await here.publish('acme/guidelines')
  await backUp(here.store, other, UPKEEP)
  const data = join(here.folder, 'restored')
  await restore(here.file, data, UPKEEP)
  const occupied = { code: 'folder_occupied' }
  await assert.rejects(restore(other, data, UPKEEP), occupied)
  const [workspace = ''] = (await readdir(join(data, 'files'))).filter(name => !name.startsWith('.'))
  await rename(join(data, 'files', workspace), join(here.folder, 'away'))
  await assert.rejects(restore(here.file, data, UPKEEP), occupied)
  await rename(join(here.folder, 'away'), join(data, 'files', workspace))
  const [part = ''] = await readdir(join(data, 'files', workspace))
  const [hash = ''] = await readdir(join(data, 'files', workspace, part))
  const path = join(data, 'files', workspace, part, hash)
  const bytes = await readFile(path)
  await chmod(path, 0o600)
  await writeFile(path, bytes.with(0, (bytes[0] ?? 0) ^ 1))
  await assert.rejects(restore(here.file, data, UPKEEP), occupied)
  await writeFile(path, bytes)
  assert.equal((await restore(here.file, data, UPKEEP)).complete, true)
  const store = await openStore(data)
  unwrap(await rollback(store, { workspace: 'acme', project: 'guidelines' }, 1, new Date()))
  await assert.rejects(restore(here.file, data, UPKEEP), occupied)
  await store.close()
  await assert.rejects(restore(here.file, data, UPKEEP), occupied)
})
