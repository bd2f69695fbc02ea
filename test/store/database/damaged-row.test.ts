import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { createClient } from '#serving/access/client/clients.ts'
import { accessTo } from '../../support/access-context.ts'
import { runCommand } from '../../support/run-command.ts'
import { PIXEL } from '../../support/small-brand.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const BRAND = {
  'workspace.yaml': 'id: acme\ntheme:\n  logo: logo.png\n',
  'logo.png': PIXEL,
  'guide/project.yaml': 'name: Guide\n',
  'other/project.yaml': 'name: Other\n',
  'other/files/notes.txt': 'Notes\n',
}

const SHARE =
  "INSERT INTO share (id, workspace, project, secret_hash, draft, may_approve, created_at, expires_at) VALUES ('s', 'acme', 'guide', 'h', 0, 0, 1, 9e15)"
const SIGNIN = "INSERT INTO signin VALUES ('s', 'acme', 'https://login.example', '{', NULL, 1)"
const SESSION =
  "INSERT INTO session (id, workspace, signin, secret_hash, subject, drafts, manages, created_at, expires_at) VALUES ('s', 'acme', 's', 'h', 'ann', 0, '{', 1, 8e15)"
const WEBHOOK =
  "INSERT INTO webhook (id, workspace, url, secret, created_at) VALUES ('w', 'acme', 'https://example.com', 's', 9e15)"
const REVIEW =
  "INSERT INTO review (workspace, project, reviewer, who, signed_in, answer, snapshot, settings, answered_at) SELECT 'acme', 'guide', 'ann', 'Ann', 1, 'ask', draft_snapshot, '', 9e15 FROM project WHERE id = 'guide'"

/** A statement that damages a row, its table, the command that fails, and others that work. */
const DAMAGES: readonly (readonly [sql: string, table: string, fails: string, works?: readonly string[]])[] = [
  ["UPDATE client SET projects = '{' WHERE name = 'a'", 'client', 'client list'],
  ["UPDATE client SET created_at = 9223372036854775807 WHERE name = 'a'", 'client', 'client list'],
  ["UPDATE token SET issued_at = 'then' WHERE jti = (SELECT MIN(jti) FROM token)", 'token', 'token list'],
  [SHARE, 'share', 'share list'],
  [SIGNIN, 'signin', 'signin list'],
  [SESSION, 'session', 'signin sessions acme'],
  [WEBHOOK, 'webhook', 'webhook list'],
  ["INSERT INTO host VALUES ('a b', 'acme', NULL, 1)", 'host', 'host list'],
  [REVIEW, 'review', 'publish acme/guide'],
  ["UPDATE project SET updated_at = 'then' WHERE id = 'guide'", 'project', 'publish --all'],
  ["UPDATE project SET draft_visibility = x'00' WHERE id = 'guide'", 'project', 'status'],
  ["UPDATE workspace SET name = x'00'", 'workspace', 'status', []],
  ["UPDATE revision SET published_at = 'then' WHERE project = 'guide'", 'revision', 'history acme/guide'],
]

for (const [sql, table, fails, works = ['history acme/other', 'publish acme/other', 'gc', 'keys list']] of DAMAGES)
  test(`after ${sql}, \`${fails}\` names table and row, and what is about others works, as do backup and restore`, async () => {
    const here = await damagedStore(sql)
    const { exitCode, err } = await runCommand(here.folder, fails.split(' '))
    assert.equal(exitCode, 1)
    assert.match(
      err,
      new RegExp(`^housestyle: the row .* of the table ${table} cannot be read: .*see \`housestyle doctor`),
    )
    for (const command of works) {
      const ran = await runCommand(here.folder, command.split(' '))
      assert.equal(ran.exitCode, 0, `${command}: ${ran.err}`)
    }
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

/** A store with two projects, a logo, two clients and two tokens, and then a damaged row. */
async function damagedStore(sql: string) {
  const here = await temporaryStore()
  await here.publishing('acme/guide', BRAND)
  await here.publish('acme/other')
  const { database, files } = here.store
  for (const name of ['a', 'b']) {
    await createClient(accessTo(here.store), 'acme', { scopes: ['projects.read'], name }, new Date())
    await here.issue('acme')
  }
  await database.run(sql)
  const count = async () => (await Array.fromAsync(files.listAll())).length
  /** Backs up and restores. Returns the warnings of the backup. */
  const saveAndRestore = async () => {
    const backup = join(here.folder, 'saved.tar')
    const saved = await runCommand(here.folder, ['backup', backup])
    assert.equal(saved.exitCode, 0, saved.err)
    const restored = await runCommand(here.folder, ['restore', backup, '--data', 'restored', '--json'])
    assert.equal(restored.exitCode, 0, restored.err)
    assert.equal(JSON.parse(restored.out).files, await count())
    return saved.err
  }
  return { ...here, saveAndRestore }
}
