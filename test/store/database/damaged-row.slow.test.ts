import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { createClient } from '#serving/access/client/clients.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { accessTo, PIXEL, runCommand, temporaryStore } from '../../support/temporary-store.ts'

const BRAND = {
  'workspace.yaml': 'id: acme\ntheme:\n  logo: logo.png\n',
  'logo.png': PIXEL,
  'guide/project.yaml': 'name: Guide\n',
  'other/project.yaml': 'name: Other\n',
  'other/files/notes.txt': 'Notes\n',
}

const { skip } = POSTGRES
const server = skip ? undefined : await startPostgres()
after(() => server?.stop())

const SHARE =
  "INSERT INTO share (id, workspace, project, secret_hash, draft, may_approve, created_at, expires_at) VALUES ('s', 'acme', 'guide', 'h', 0, 0, 1, 9e15)"
const SIGNIN = "INSERT INTO signin VALUES ('s', 'acme', 'https://login.example', '{', NULL, 1)"
const SESSION =
  "INSERT INTO session (id, workspace, signin, secret_hash, subject, drafts, manages, created_at, expires_at) VALUES ('s', 'acme', 's', 'h', 'ann', 0, '{', 1, 8e15)"
const WEBHOOK =
  "INSERT INTO webhook (id, workspace, url, secret, created_at) VALUES ('w', 'acme', 'https://example.com', 's', 9e15)"
const CONNECTION =
  "INSERT INTO connection (id, workspace, client, session, subject, resource, scope, created_at, expires_at) VALUES ('c', 'acme', 'x', 's', 'ann', 'r', 'a  b', 1, 8e15)"
const REVIEW =
  "INSERT INTO review (workspace, project, reviewer, who, signed_in, answer, snapshot, settings, answered_at) SELECT 'acme', 'guide', 'ann', 'Ann', 1, 'ask', draft_snapshot, '', 9e15 FROM project WHERE id = 'guide'"

/** What the store of each engine is opened with: an address, or nothing for SQLite. */
const ENGINES: Readonly<Record<string, () => Promise<string | undefined>>> = {
  SQLite: async () => undefined,
  ...(server && { Postgres: server.newDatabase }),
}

type Damage = readonly [sql: string, table: string, fails: string, works: readonly string[]]

/** A statement that damages a row, its table, the command that fails, and those about others that work. */
const DAMAGES: readonly Damage[] = [
  ["UPDATE client SET projects = '{' WHERE name = 'a'", 'client', 'client list acme', ['client list nord']],
  ["UPDATE client SET projects = '{' WHERE name = 'a'", 'client', 'client list', ['client update b --name c']],
  ["UPDATE client SET created_at = 9223372036854775807 WHERE name = 'a'", 'client', 'client list', []],
  ['UPDATE token SET issued_at = -1 WHERE jti = (SELECT MIN(jti) FROM token)', 'token', 'token list', []],
  ["UPDATE token SET issued_at = -1 WHERE client = 'cli'", 'token', 'token list acme', ['token list nord']],
  [SHARE, 'share', 'share list', ['share list acme/other', 'share list nord']],
  [SHARE, 'share', 'share list acme/guide', []],
  [SIGNIN, 'signin', 'signin list', ['signin list nord', 'signin test none']],
  [SESSION, 'session', 'signin sessions acme', ['signin sessions nord', 'signin end ann@example.com']],
  [CONNECTION, 'connection', 'connection list acme', ['connection list nord', 'signin end ann@example.com']],
  [WEBHOOK, 'webhook', 'webhook list', ['webhook list nord']],
  ["INSERT INTO host VALUES ('a b', 'acme', NULL, 1)", 'host', 'host list', []],
  [REVIEW, 'review', 'publish acme/guide', []],
  ["UPDATE project SET updated_at = -1 WHERE id = 'guide'", 'project', 'publish --all', []],
  ["UPDATE project SET draft_visibility = '' WHERE id = 'guide'", 'project', 'status', []],
  ["UPDATE revision SET published_at = -1 WHERE project = 'guide'", 'revision', 'history acme/guide', []],
]

/** The same with values that Postgres refuses. */
const OF_OTHER_TYPES: readonly Damage[] = [
  ["UPDATE token SET issued_at = 'then' WHERE jti = (SELECT MIN(jti) FROM token)", 'token', 'token list', []],
  ["UPDATE project SET updated_at = 'then' WHERE id = 'guide'", 'project', 'publish --all', []],
  ["UPDATE project SET draft_visibility = x'00' WHERE id = 'guide'", 'project', 'status', []],
  ["UPDATE revision SET published_at = 'then' WHERE project = 'guide'", 'revision', 'history acme/guide', []],
]

const ABOUT_OTHERS = ['history acme/other', 'publish acme/other', 'gc', 'keys list']

for (const [engine, addressOf] of Object.entries(ENGINES))
  for (const [sql, table, fails, works] of [...DAMAGES, ...(engine === 'SQLite' ? OF_OTHER_TYPES : [])])
    test(`${engine}: after ${sql}, \`${fails}\` names table and row, and what is about others works, as do backup and restore`, async () => {
      const here = await damagedStore(sql, await addressOf())
      const { exitCode, err } = await here.command(fails)
      assert.equal(exitCode, 1)
      assert.match(
        err,
        new RegExp(`^housestyle: the row .* of the table ${table} cannot be read: .*see \`housestyle doctor`),
      )
      for (const command of [...ABOUT_OTHERS, ...works]) {
        const ran = await here.command(command)
        assert.equal(ran.exitCode, MISSING.has(command) ? 1 : 0, `${command}: ${ran.err}`)
      }
      await here.saveAndRestore()
    })

/** What exits with 1, because the store has no such item. */
const MISSING: ReadonlySet<string> = new Set(['signin test none', 'signin end ann@example.com'])

test('after the name of a workspace was damaged, status names table and row, and a backup has all', async () => {
  const here = await damagedStore("UPDATE workspace SET name = x'00' WHERE id = 'acme'")
  assert.match((await here.command('status')).err, /^housestyle: the row acme of the table workspace cannot be read: /)
  await here.saveAndRestore()
})

for (const [sql, table] of [
  ["UPDATE workspace SET theme = '{', draft_theme = NULL", 'workspace'],
  ['UPDATE workspace SET theme = \'{"logo":{"hash":"x"}}\', draft_theme = NULL', 'workspace'],
  ["UPDATE revision SET snapshot = x'00' WHERE project = 'guide'", 'revision'],
  ["UPDATE project SET published_revision = 7 WHERE id = 'guide'", 'project'],
] as const)
  test(`after ${sql}, a backup warns of the row and has all files of the workspace`, async () => {
    assert.match(await (await damagedStore(sql)).saveAndRestore(), warningAbout(table))
  })

for (const [sql, command] of [
  [SHARE.replace('1, 9e15', "'then', 8e15"), 'share revoke s'],
  [SIGNIN, 'signin remove s'],
  ["UPDATE client SET id = 'acme-1', projects = '{' WHERE name = 'a'", 'client delete acme-1'],
  [WEBHOOK, 'webhook delete w'],
] as const)
  test(`after ${sql}, \`${command}\` still ends the item`, async () => {
    const { folder } = await damagedStore(sql)
    const { exitCode, err } = await runCommand(folder, command.split(' '))
    assert.equal(exitCode, 0, err)
    const again = await runCommand(folder, command.split(' '))
    assert.equal(again.exitCode, command.startsWith('share') ? 0 : 1, 'a revoked link stays, other items are gone')
  })

test('gc keeps the revisions of a project with a damaged row, and frees those of others', async () => {
  const here = await damagedStore('SELECT 1')
  for (const text of ['1', '2'])
    for (const project of ['guide', 'other'])
      await here.publishing(`acme/${project}`, { [`${project}/pages/index.md`]: `# ${text}\n` })
  await here.store.database.run("UPDATE revision SET published_at = 9e15 WHERE project = 'guide' AND number = 1")
  const { exitCode, out, err } = await runCommand(here.folder, ['gc', '--keep', '1', '--json'])
  assert.equal(exitCode, 0, err)
  assert.equal(JSON.parse(out).revisions, 2)
  assert.match(err, warningAbout('revision'))
})

test('gc refuses if a reference cannot be read, and names the row', async () => {
  const { folder } = await damagedStore("UPDATE project SET published_revision = 'one' WHERE id = 'guide'")
  const { exitCode, err } = await runCommand(folder, ['gc'])
  assert.equal(exitCode, 1)
  assert.match(err, /the row acme guide.* of the table project cannot be read/)
})

function warningAbout(table: string): RegExp {
  return new RegExp(`^warning: the row .* of the table ${table} cannot be read: .*see \`housestyle doctor`, 'm')
}

/** A store with two projects, a logo, two clients and two tokens, and another workspace, and then a damaged row. */
async function damagedStore(sql: string, address?: string) {
  const here = await temporaryStore(undefined, address)
  await here.publishing('acme/guide', BRAND)
  await here.publish('acme/other')
  await here.importing('nord', { 'north/project.yaml': 'name: Nord\n' })
  const { database, files } = here.store
  const ids = new Map<string, string>()
  for (const name of ['a', 'b']) {
    const made = await createClient(accessTo(here.store), 'acme', { scopes: ['projects.read'], name }, new Date())
    ids.set(name, made.client_id)
    await here.issue('acme')
  }
  await database.run(sql)
  const count = async () => (await Array.fromAsync(files.listAll())).length
  const environment = address === undefined ? {} : { HOUSESTYLE_DATABASE: address }
  /** Runs a command, which names a client by its name. */
  const command = (text: string) => {
    const args = text.split(' ').map(word => ids.get(word) ?? word)
    return runCommand(here.folder, args, environment)
  }
  /** Backs up and restores. Returns the warnings of the backup. */
  const saveAndRestore = async () => {
    const backup = join(here.folder, 'saved.tar')
    const saved = await runCommand(here.folder, ['backup', backup], environment)
    assert.equal(saved.exitCode, 0, saved.err)
    const restored = await runCommand(here.folder, ['restore', backup, '--data', 'restored', '--json'])
    assert.equal(restored.exitCode, 0, restored.err)
    assert.equal(JSON.parse(restored.out).files, await count())
    return saved.err
  }
  return { ...here, command, saveAndRestore }
}
