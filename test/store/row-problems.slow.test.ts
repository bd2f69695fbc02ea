import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { parse } from 'yaml'
import type { MaybePromise } from '#platform/base/promise.ts'
import { rowProblems } from '#store/row-problems.ts'
import type { Store } from '#store/store.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import { sharedPostgres } from '#test/support/engines.ts'
import { publishedStore, SMALL_BRAND, temporaryStore } from '../support/temporary-store.ts'
import { UPKEEP } from './upkeep/options.ts'

const { skip, server } = await sharedPostgres()

/** The advice by its name in the data. */
const ADVICE: Readonly<Record<string, RegExp>> = {
  AGAIN: /and (?:add it again|make another|issue another)$/,
  /** A new value for the column, or another row. */
  CORRECT: /^run `UPDATE [^`]+` in the database(?:, then import and publish the folder again)?$/,
  DELETE: /^run `DELETE FROM [^`]+` in the database$/,
  RESTORE: /^restore the store/,
  HOST: /^remove it with `housestyle host remove/,
  CANCEL: /^run `DELETE FROM planned_publication [^`]+` in the database, and plan it again$/,
  CHOOSE: /^run `DELETE FROM mail_choice [^`]+` in the database, and choose again/,
  ANSWER: /^run `DELETE FROM review [^`]+` in the database, and ask the reviewer to answer again$/,
  PULL: /^run `DELETE FROM git_source [^`]+` in the database, and take its projects again with /,
  SIGN_IN: /sign in again$/,
}

type Row = Readonly<Record<string, string>>
/** A table, a column and wrong values of it, and the name of the advice. */
type Damage = readonly [table: string, column: string, values: readonly string[], advice: string]

const { rows: ROWS, ...lists }: { rows: Record<string, Row>; damages: Damage[]; changes: Damage[] } = parse(
  readFileSync(new URL('row-problems.yaml', import.meta.url), 'utf8'),
)
const withAdvice = ([table, column, values, advice]: Damage) =>
  [table, column, values, ADVICE[advice] ?? assert.fail(advice)] as const
const DAMAGES = lists.damages.map(withAdvice)
const CHANGED = lists.changes.map(withAdvice)

/** A store whose damages each test removes. */
const shared = await published()

test('sound rows of all tables have no problems', async () => {
  const { database, run } = await published()
  for (const [table, row] of Object.entries(ROWS)) run(insertion(table, row))
  assert.deepEqual(await rowProblems(database), [])
})

for (const [table, column, values, fix] of DAMAGES)
  test(`of the table ${table}, the column ${column} with ${values.join(' or ')} is found, with advice`, async () => {
    const { database, run, store } = shared
    for (const value of values) {
      run(`DELETE FROM ${table}`)
      if (table === 'mail') run(`DELETE FROM mail_choice; ${insertion('mail_choice', ROWS.mail_choice)}`)
      run(insertion(table, { ...ROWS[table], [column]: value }))
      assertFound(await rowProblems(database), { table, column, value, fix })
      assert.equal((await adviceOn(store)).size, 1, value)
      await assertRepaired(database, run)
      run(`DELETE FROM ${table}; DELETE FROM mail_choice`)
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
  const here = await publishedStore('acme/guidelines', SMALL_BRAND)
  const run = (sql: string) => {
    using database = new DatabaseSync(join(here.data, 'housestyle.db'), { enableForeignKeyConstraints: false })
    database.exec(sql)
  }
  return { database: here.store.database, store: here.store, run }
}
