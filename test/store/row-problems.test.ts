import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { after } from 'node:test'
import type { MaybePromise } from '#platform/base/promise.ts'
import { rowProblems } from '#store/row-problems.ts'
import type { Store } from '#store/store.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { SMALL_BRAND } from '../support/small-brand.ts'
import { temporaryStore } from '../support/temporary-store.ts'
import { UPKEEP } from './upkeep/options.ts'

const { skip } = needs('postgres')
const server = skip ? undefined : await startPostgres()
after(() => server?.stop())

const RULES = { domains: [], emails: [], groups: [], groupsClaim: 'groups' }
/** Sound settings of an issuer. */
const SETTINGS = {
  way: { clientId: 'c' },
  rules: RULES,
  drafts: false,
  manage: false,
  edit: false,
  hasOwnRedirect: false,
}

const AGAIN = /and (?:add it again|make another|issue another)$/
/** A new value for the column, or another row. */
const CORRECT = /^run `UPDATE [^`]+` in the database(?:, then import and publish the folder again)?$/
const DELETE = /^run `DELETE FROM [^`]+` in the database$/
const RESTORE = /^restore the store/
const HOST = /^remove it with `housestyle host remove/
const CANCEL = /^run `DELETE FROM planned_publication [^`]+` in the database, and plan it again$/
const CHOOSE = /^run `DELETE FROM mail_choice [^`]+` in the database, and choose again/
const ANSWER = /^run `DELETE FROM review [^`]+` in the database, and ask the reviewer to answer again$/
const PULL = /^run `DELETE FROM git_source [^`]+` in the database, and take its projects again with /
const SIGN_IN = /sign in again$/

/** A sound row for each table: the values by column. */
const ROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  host: { host: "'brand.example.com'", workspace: "'acme'", project: "'guidelines'", created_at: '1' },
  planned_publication: {
    ...ofProject(),
    snapshot: `'${'0'.repeat(64)}'`,
    settings: "'x'",
    due_at: '2',
    keeps_workspace: '0',
    over_requests: "'[]'",
    planned_at: '1',
    needs: `'{"approval":false}'`,
  },
  mail_choice: {
    workspace: "'acme'",
    subject: "'ann'",
    signin: "'s'",
    email: "'ann@example.com'",
    lang: "'en'",
    kinds: `'["draft"]'`,
    rights: `'{"drafts":true}'`,
    seen_at: '1',
    chosen_at: '1',
  },
  mail: { id: "'m'", ...ofProject(), subject: "'ann'", kind: "'draft'", created_at: '1', next_at: '2', attempts: '0' },
  review: answer(),
  answer: answer(),
  picture_facts: { workspace: "'acme'", hash: "'h'", version: '1', facts: 'NULL' },
  book: {
    ...ofProject(),
    snapshot: `'${'0'.repeat(64)}'`,
    edition: "'http://127.0.0.1:4080 0.1.0'",
    made_at: '1',
    hash: 'NULL',
    size: '0',
    problem: "'no memory'",
  },
  usage: { ...ofProject(), day: "'2026-11-25'", kind: "'page'", item: "'index'", count: '1' },
  notice: {
    ...ofProject(),
    instance: "(SELECT instance FROM project WHERE id = 'guidelines')",
    created_at: '1',
    path: "'a.png'",
    until: "'2026-11-25'",
    days: '7',
    number: '1',
    id: "'n'",
    happened_at: '1',
  },
  session: {
    id: "'s'",
    workspace: "'acme'",
    signin: "'s'",
    secret_hash: "'h'",
    subject: "'ann'",
    drafts: '0',
    created_at: '1',
    expires_at: '2',
  },
  connection: {
    id: "'c'",
    workspace: "'acme'",
    client: "'x'",
    subject: "'ann'",
    resource: "'r'",
    scope: "'projects.read'",
    created_at: '1',
    expires_at: '2',
  },
  authorization_state: { kind: "'Grant'", id: "'g'", payload: "'{}'", expires_at: '2' },
  change: { number: '99', event: "'published'" },
  client: { id: "'acme-1'", workspace: "'acme'", secret_hash: "'h'", scope: "'projects.read'", created_at: '1' },
  git_source: { id: "'g'" },
  webhook: {
    id: "'w'",
    workspace: "'acme'",
    url: "'https://example.com'",
    secret: `'{"secret":"x"}'`,
    created_at: '1',
  },
  signin: {
    id: "'i'",
    workspace: "'acme'",
    issuer: "'https://login.example'",
    settings: `'${JSON.stringify(SETTINGS)}'`,
    created_at: '1',
  },
  token: {
    jti: "'t'",
    client: "'cli'",
    workspace: "'acme'",
    scope: "'projects.read'",
    issued_at: '1',
    expires_at: '2',
  },
  share: {
    id: "'s'",
    ...ofProject(),
    secret_hash: "'h'",
    draft: '0',
    may_approve: '0',
    created_at: '1',
    expires_at: '2',
  },
  delivery: {
    webhook: "'w'",
    id: "'d'",
    number: '1',
    ...ofProject(),
    type: "'project.published'",
    payload: "'{}'",
    state: "'waiting'",
    created_at: '1',
    attempts: '0',
  },
  deleted_project: { workspace: "'acme'", id: "'gone'", last_revision: '1', next_file_key: '2' },
}

function ofProject() {
  return { workspace: "'acme'", project: "'guidelines'" }
}

function answer() {
  const by = { reviewer: "'ann'", who: "'Ann'", signed_in: '1', answer: "'ask'" }
  return { ...ofProject(), ...by, snapshot: `'${'0'.repeat(64)}'`, settings: "''", answered_at: '1' }
}

/** Settings of an issuer with one wrong value each. */
const WRONG_SETTINGS = [
  { rules: { ...RULES, domains: [1] } },
  { rules: { ...RULES, groups: [{}] } },
  { rules: { ...RULES, groupsClaim: 7 } },
  { drafts: 'yes' },
  { edit: 1 },
  { hasOwnRedirect: undefined },
  { way: { proxy: { header: 'x', jwks: 'y' } } },
].map(wrong => {
  return `'${JSON.stringify({ ...SETTINGS, ...wrong })}'`
})

/** A table, a column and wrong values of it, and the advice. */
const DAMAGES: readonly (readonly [table: string, column: string, values: readonly string[], fix: RegExp])[] = [
  ['host', 'host', ["'Brand.Example.com'", 'NULL', "''", "'a b'", "x'00'"], HOST],
  ['host', 'workspace', ["'nobody'", "x'00'"], HOST],
  ['host', 'project', ["'nothing'", "x'00'"], HOST],
  ['host', 'created_at', ['-1', "'then'", '9000000000000000', "x'00'"], HOST],
  ['planned_publication', 'snapshot', ["'7'", "x'00'"], CANCEL],
  ['planned_publication', 'project', ["'nothing'"], CANCEL],
  ['planned_publication', 'due_at', ['-1', "'soon'"], CANCEL],
  ['planned_publication', 'keeps_workspace', ['2'], CANCEL],
  ['planned_publication', 'over_requests', ["'{'", "'[1]'"], CANCEL],
  ['planned_publication', 'needs', ["'[]'"], CANCEL],
  ['planned_publication', 'ended_at', ['-1'], CANCEL],
  ['review', 'email', ["''", "'a\n@example.com'"], ANSWER],
  ['mail_choice', 'rights', ['\'{"drafts":"yes"}\'', "'{}'", '\'{"drafts":false}\''], CHOOSE],
  ['mail_choice', 'lang', ["'xx'", "''"], CHOOSE],
  ['mail_choice', 'email', ["''", "'ann@example.com\nBcc: eve@example.com'"], CHOOSE],
  ['mail_choice', 'kinds', ["'{'", "'[1]'", `'["post"]'`], CHOOSE],
  ['mail_choice', 'rights', ["'{'", "'[]'"], CHOOSE],
  ['mail_choice', 'seen_at', ['-1', "'then'"], CHOOSE],
  ['mail_choice', 'email', ["x'00'"], CHOOSE],
  ['mail_choice', 'workspace', ["'nobody'"], CHOOSE],
  ['mail', 'kind', ["'post'", "x'00'"], DELETE],
  ['mail', 'attempts', ['-1', '1.5'], DELETE],
  ['mail', 'next_at', ['-1', "'soon'"], DELETE],
  ['mail', 'project', ["'nothing'"], DELETE],
  ['review', 'answer', ["'maybe'", "x'00'"], ANSWER],
  ['review', 'signed_in', ['2'], ANSWER],
  ['review', 'snapshot', ["'7'"], ANSWER],
  ['review', 'answered_at', ['-1'], ANSWER],
  ['review', 'project', ["'nothing'"], ANSWER],
  ['answer', 'answer', ["'maybe'"], DELETE],
  ['answer', 'dismissed_at', ['-1'], DELETE],
  ['answer', 'snapshot', ["x'00'"], DELETE],
  ['picture_facts', 'facts', ["'{'"], DELETE],
  ['book', 'hash', ["'7'"], DELETE],
  ['book', 'size', ['-1'], DELETE],
  ['usage', 'count', ['-1', '1.5', "'many'"], DELETE],
  ['usage', 'kind', ["'robot'"], DELETE],
  ['usage', 'day', ["'today'"], DELETE],
  ['usage', 'item', ["x'00'"], DELETE],
  ['usage', 'project', ["'nothing'"], DELETE],
  ['notice', 'instance', ["'other'"], DELETE],
  ['notice', 'number', ['9999'], DELETE],
  ['mail', 'subject', ["'nobody'"], DELETE],
  ['mail', 'next_at', ['NULL'], DELETE],
  ['planned_publication', 'reason', ["'cancelled'"], CANCEL],
  ['notice', 'until', ["'soon'", "x'00'"], DELETE],
  ['notice', 'days', ['-1', '99'], DELETE],
  ['notice', 'happened_at', ['-1'], DELETE],
  ['notice', 'number', ["'one'"], DELETE],
  ['notice', 'project', ["'nothing'"], DELETE],
  ['session', 'manages', ["'{'"], SIGN_IN],
  ['session', 'edits', ["'{'"], SIGN_IN],
  ['session', 'ended_at', ['-1'], SIGN_IN],
  ['connection', 'scope', ["'a  b'"], SIGN_IN],
  ['authorization_state', 'payload', ["'{'"], SIGN_IN],
  ['client', 'projects', ["'{'", "'[1]'", `'["x"]'`, `'[{"project":"x"}]'`], AGAIN],
  ['client', 'redirect_uris', ["'null]'"], AGAIN],
  ['token', 'projects', ["'a'"], AGAIN],
  ['token', 'expires_at', ['9000000000000000'], AGAIN],
  ['share', 'may_approve', ['7'], AGAIN],
  ['signin', 'settings', ["'{}'", "'settings'", ...WRONG_SETTINGS], AGAIN],
  ['signin', 'client_secret', ["'x'"], AGAIN],
  ['signin', 'workspace', ["'-'", "x'00'"], AGAIN],
  ['signin', 'issuer', ["''", "x'00'"], AGAIN],
  ['signin', 'created_at', ["'then'", '1.5'], AGAIN],
  ['webhook', 'secret', ["'x'"], AGAIN],
  ['delivery', 'type', ["x'00'"], DELETE],
  ['delivery', 'state', ["'lost'"], DELETE],
  ['git_source', 'imported', ["'{'", `'{"content":"c","projects":7,"findings":[]}'`], PULL],
  ['git_source', 'failure', ["'[]'"], CORRECT],
  ['git_source', 'checked_at', ["'then'"], CORRECT],
  ['change', 'event', ["'gone'"], CORRECT],
  ['deleted_project', 'last_revision', ['-1'], RESTORE],
]

/** Changes of rows that every published project has. */
const CHANGED: readonly (readonly [table: string, column: string, values: readonly string[], fix: RegExp])[] = [
  ['workspace', 'name', ["x'00'"], CORRECT],
  ['workspace', 'contact', ["x'00'"], CORRECT],
  ['workspace', 'theme', ["'blue'"], CORRECT],
  ['workspace', 'draft_theme', ["'[]'"], CORRECT],
  ['project', 'draft_visibility', ["'open'"], CORRECT],
  ['project', 'draft_revisions', ["'all'"], CORRECT],
  ['project', 'published_revisions', ["''"], CORRECT],
  ['project', 'published_visibility', ["x'00'"], CORRECT],
  ['project', 'file_key', ['0'], CORRECT],
  ['project', 'draft_findings', ["'{'", "'[1]'"], CORRECT],
  ['project', 'source', ["'{}'"], CORRECT],
  ['project', 'edit', ["'javascript:{path}'"], CORRECT],
  ['project', 'updated_at', ['9000000000000000'], CORRECT],
  ['project', 'draft_missing', ['-1'], CORRECT],
  ['project', 'draft_reviewers', ["'{'", "'{}'"], CORRECT],
  ['project', 'published_reviewers', ["'{'", "'{}'"], RESTORE],
  ['project', 'draft_authors', ["'{'", "'[1]'"], RESTORE],
  ['project', 'draft_note', ["x'00'"], CORRECT],
  ['project', 'published_revision', ['0'], RESTORE],
  ['revision', 'reviewed', ["'[]'"], CORRECT],
  ['revision', 'who', ["x'00'"], CORRECT],
  ['revision', 'freed_at', ['-1'], CORRECT],
  ['revision', 'retracted_at', ['-1'], CORRECT],
  ['revision', 'visibility', ["x'00'", "'PUBLIC'"], CORRECT],
  ['project', 'draft_reviewers', ['0', '9', '1.5', '\'"a"\''], CORRECT],
  ['revision', 'reviewed', [`'{"approvers":2}'`, `'{"endedPlans":[1]}'`], CORRECT],
  ['event', 'type', ["'gone'"], DELETE],
]

test('sound rows of all tables have no problems', async () => {
  const { database, run } = await published()
  for (const [table, row] of Object.entries(ROWS)) run(insertion(table, row))
  assert.deepEqual(await rowProblems(database), [])
})

for (const [table, column, values, fix] of DAMAGES)
  test(`of the table ${table}, the column ${column} with ${values.join(' or ')} is found, with advice`, async () => {
    const { database, run, store } = await published()
    for (const value of values) {
      run(`DELETE FROM ${table}`)
      if (table === 'mail') run(`DELETE FROM mail_choice; ${insertion('mail_choice', ROWS.mail_choice)}`)
      run(insertion(table, { ...ROWS[table], [column]: value }))
      assertFound(await rowProblems(database), { table, column, value, fix })
      assert.equal((await adviceOn(store)).size, 1, value)
      await assertRepaired(database, run)
    }
  })

for (const [table, column, values, fix] of CHANGED)
  test(`of the table ${table}, the changed column ${column} with ${values.join(' or ')} is found`, async () => {
    for (const value of values) {
      const { database, run, store } = await published()
      run(change(table, column, value))
      assertFound(await rowProblems(database), { table, column, value, fix })
      assert.equal((await adviceOn(store)).size, 1, value)
      await assertRepaired(database, run)
    }
  })

/** SQLSTATE codes of values that Postgres refuses: of another type, out of its range, or missing. */
const REFUSED = new Set(['22003', '22P02', '23502', '42804'])

/** Postgres stores bytes as text in a column of text, and rounds fractions. */
const isOfBoth = (value: string) => !["x'00'", '1.5'].includes(value)

test('Postgres: the damages that it can store are found, with the same advice', { skip }, async () => {
  const address = (await server?.newDatabase()) ?? ''
  const { store, publishing } = await temporaryStore(undefined, address)
  await publishing('acme/guidelines', SMALL_BRAND)
  const [tables, repaired] = [new Set<string>(), new Set<string>()]
  const run = async (sql: string) => {
    // As superuser without the checks of foreign keys.
    await server?.query(`SET session_replication_role = replica; ${sql}`, new URL(address).pathname.slice(1))
  }
  const check = async (table: string, column: string, value: string, fix: RegExp) => {
    assertFound(await rowProblems(store.database), { table, column, value, fix })
    if (!repaired.has(`${table} ${column}`)) await assertRepaired(store.database, run)
    repaired.add(`${table} ${column}`)
    tables.add(table)
  }
  const isStored = (sql: string) =>
    run(sql).then(
      () => true,
      error => {
        if (!REFUSED.has(error.code)) throw error
        return false
      },
    )
  for (const [table, column, values, fix] of DAMAGES)
    for (const value of values.filter(isOfBoth)) {
      if (table === 'mail') await run(`DELETE FROM mail_choice; ${insertion('mail_choice', ROWS.mail_choice)}`)
      if (await isStored(insertion(table, { ...ROWS[table], [column]: value }))) await check(table, column, value, fix)
      await run(`DELETE FROM ${table}`)
    }
  for (const [table, column, values, fix] of CHANGED)
    for (const value of values.filter(isOfBoth)) {
      await run(`CREATE TABLE sound AS SELECT * FROM ${table}`)
      if (await isStored(change(table, column, value))) await check(table, column, value, fix)
      await run(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM sound; DROP TABLE sound`)
    }
  assert.deepEqual(tables, new Set([...DAMAGES, ...CHANGED].map(([table]) => table)))
})

test('a plan with an end and no reason is found', async () => {
  const { database, run } = await published()
  run(insertion('planned_publication', { ...ROWS.planned_publication, ended_at: '3' }))
  const [problem] = await rowProblems(database)
  assert.match(problem?.message ?? '', /^has a row that has an end without a reason: acme guidelines$/)
  await assertRepaired(database, run)
})

test('a damaged file has one advice for all of its rows', async () => {
  const { database, run } = await published()
  run(insertion('session', { ...ROWS.session, expires_at: "'then'" }))
  const fixes = (await rowProblems(database, true)).map(({ fix }) => fix)
  assert.deepEqual(fixes, ['restore the store from a backup'])
})

/** Runs the statement that the advice names, if it names one: then the row has no problem. */
async function assertRepaired(database: Store['database'], run: (sql: string) => MaybePromise<void>): Promise<void> {
  const [{ fix = '' } = {}] = await rowProblems(database)
  const [, statement] = /^[^`]*\brun `([^`]+)`/.exec(fix) ?? []
  if (statement === undefined) return
  await run(statement)
  assert.deepEqual(await rowProblems(database), [], statement)
}

/** The advice that `doctor` gives. */
async function adviceOn(store: Store): Promise<ReadonlySet<string>> {
  return new Set((await examineStore(store, UPKEEP)).map(({ fix }) => fix))
}

type Found = Awaited<ReturnType<typeof rowProblems>>

type Wanted = { table: string; column: string; value: string; fix: RegExp }

function assertFound(problems: Found, { table, column, value, fix }: Wanted): void {
  const own = problems.filter(({ subject }) => subject === `the table ${table}`)
  const named = new RegExp(
    `^has a row that (?:refers to|is of|was sent|has a (?:number|reason|missing)|has an end|cannot be read: .*: (?:the column ${column} has |not a SHA-256))`,
  )
  assert.ok(
    own.some(({ message }) => named.test(message)),
    `${value} is not found: ${JSON.stringify(problems)}`,
  )
  for (const problem of own) assert.match(problem.fix, fix, value)
}

function insertion(table: string, row: Readonly<Record<string, string>> = {}): string {
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`
}

function change(table: string, column: string, value: string): string {
  const one = table === 'project' ? "WHERE id = 'guidelines'" : ''
  return `UPDATE ${table} SET ${column} = ${value} ${one}`
}

/** A store with a publication, and statements in it without the checks of SQLite. */
async function published() {
  const here = await temporaryStore()
  await here.publishing('acme/guidelines', SMALL_BRAND)
  const run = (sql: string) => {
    using database = new DatabaseSync(join(here.data, 'housestyle.db'), { enableForeignKeyConstraints: false })
    database.exec(sql)
  }
  return { database: here.store.database, store: here.store, run }
}
