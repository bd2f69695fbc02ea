import { shellWord } from '#platform/base/text.ts'
import { STATES } from './access/authorization-state.ts'
import { CLIENTS } from './access/clients.ts'
import { CONNECTIONS } from './access/connections.ts'
import { HOSTS } from './access/hosts.ts'
import { CHOICES, KNOWN_CHOICES, MAILS } from './access/mail.ts'
import { SESSIONS } from './access/sessions.ts'
import { SHARES } from './access/shares.ts'
import { SIGNING_KEYS } from './access/signing-keys.ts'
import { SIGNINS } from './access/signins.ts'
import { TOKENS } from './access/tokens.ts'
import { BOOKS } from './catalogue/books.ts'
import { PROFILES, PROJECTS, THEMES, WORKSPACES } from './catalogue/catalogue.ts'
import { FINDINGS } from './catalogue/draft-findings.ts'
import { LINKS } from './catalogue/edit-links.ts'
import { EVENT_TYPES, EVENTS } from './catalogue/events.ts'
import { GIT_SOURCES } from './catalogue/git-sources.ts'
import { REVISIONS } from './catalogue/history.ts'
import { NOTICES } from './catalogue/notices.ts'
import { PICTURE_FACTS } from './catalogue/picture-facts.ts'
import { PLANS } from './catalogue/plans.ts'
import { DELETED } from './catalogue/pointers.ts'
import { ANSWERS, REVIEWS } from './catalogue/reviews.ts'
import { USAGE } from './catalogue/usage.ts'
import { DELIVERIES, WEBHOOKS } from './catalogue/webhooks.ts'
import { WORKSPACE_FIELDS } from './catalogue/workspace-fields.ts'
import { keyOfRow } from './database/damaged-row.ts'
import type { Database, Queries, Row } from './database/database.ts'
import { choice, date, defineRows, optional, type Rows } from './database/table.ts'
import { type ContentPlace, DamagedRow } from './store-error.ts'

type RowProblem = { check: 'database'; subject: string; message: string; fix: string }

/**
 * Finds the rows of all tables that cannot be read, or whose workspace or project is missing, with one advice for each:
 * that of its table, unless the whole file is damaged.
 */
export async function rowProblems(database: Database, isFileDamaged = false): Promise<RowProblem[]> {
  const problems: RowProblem[] = []
  const wrong = isFileDamaged ? [] : ((await database.wrongTypes?.()) ?? [])
  for (const { table, column } of wrong.filter(each => !Object.hasOwn(TABLES, each.table)))
    problems.push({
      check: 'database',
      subject: `the table ${table}`,
      message: `has a value in the column ${column} that is not a whole number`,
      fix: RESTORE,
    })
  for (const [table, checks] of Object.entries(TABLES)) {
    const numbers = wrong.filter(each => each.table === table).map(({ column }) => column)
    for (const { row, message, column } of await problemsIn(database, table, checks, numbers)) {
      const fix = isFileDamaged ? RESTORE : fixOf(table, checks, row, column)
      problems.push({ check: 'database', subject: `the table ${table}`, message, fix })
    }
  }
  return problems
}

/** A row that cannot be read, by its damaged column, or that breaks a rule. */
type WrongRow = { row: Row; message: string; column?: string | undefined }

/**
 * The first wrong rows of a table. `numbers` are its columns of numbers with other values. The query gives each row a
 * column `rule_0`, `rule_1` … for each rule: 1 if the row meets it, 0 if it does not.
 */
async function problemsIn(
  database: Database,
  table: string,
  checks: TableChecks,
  numbers: readonly string[],
): Promise<WrongRow[]> {
  const wrongRows: WrongRow[] = []
  const rules = Object.entries(checks.rules ?? {})
  const results = rules.map(([, holds], at) => `, CASE WHEN ${holds} THEN 1 ELSE 0 END AS rule_${at}`)
  const check = (row: Row) => {
    if (wrongRows.length === MAX_PROBLEMS) return
    const name = Object.values(keyOfRow(row)).join(' ')
    const damage = damageOf(table, row) ?? wrongTypeIn(row, numbers)
    const brokenRule = rules.find((_, at) => row[`rule_${at}`] === 0)?.[0]
    if (damage)
      wrongRows.push({
        row,
        message: `has a row that cannot be read: ${name}: ${damage.problem}`,
        column: damage.column,
      })
    else if (brokenRule !== undefined) wrongRows.push({ row, message: `has a row that ${brokenRule}: ${name}` })
  }
  await database.scan(`SELECT a.*${results.join('')} FROM ${table} a`, rows => rows.forEach(check))
  return wrongRows
}

const MAX_PROBLEMS = 100

/** The problem of a row in the store; undefined if it is sound or missing. */
export async function findRowProblem(queries: Queries, { table, key }: RowPlace): Promise<string | undefined> {
  const columns = Object.entries(key).flatMap(([column, value]) =>
    typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array ? [{ column, value }] : [],
  )
  const where = columns.map(({ column }) => `${column} = ?`).join(' AND ')
  const row = await queries.get(`SELECT * FROM ${table} WHERE ${where}`, ...columns.map(({ value }) => value))
  return row && damageOf(table, row)?.problem
}

type RowPlace = Pick<Extract<ContentPlace, { kind: 'row' }>, 'table' | 'key'>

type Damage = { problem: string; column?: string | undefined }

/** The damage of a row by the definitions of its table. */
function damageOf(table: string, row: Row): Damage | undefined {
  try {
    for (const { read } of TABLES[table]?.rows ?? []) read(row)
    return undefined
  } catch (error) {
    if (error instanceof DamagedRow) return error
    throw error
  }
}

/** The damage of a value that nothing reads as a number now. */
function wrongTypeIn(row: Row, columns: readonly string[]): Damage | undefined {
  const column = columns.find(column => row[column] !== null && !Number.isInteger(row[column]))
  return column === undefined
    ? undefined
    : { column, problem: `the column ${column} has a value that is not a whole number` }
}

/**
 * The repair of a row: a new value for the damaged column, or else what its table says. In both, `{sql}` becomes the
 * statement, and `{jti}` the value that the row has in this column.
 */
function fixOf(
  table: string,
  { fix = RESTORE, key = ['id'], repairs = {}, after = '' }: TableChecks,
  row: Row,
  column = '',
): string {
  const where = `WHERE ${key.map(name => `${name} ${sqlIs(row[name])}`).join(' AND ')}`
  const repair = Object.entries(repairs).find(([columns]) => columns.split(' ').includes(column))?.[1]
  const statement = repair === undefined ? `DELETE FROM ${table} ${where}` : `UPDATE ${table} SET ${repair} ${where}`
  return (repair === undefined ? fix : SQL + after)
    .replace('{sql}', statement.replaceAll('{now}', String(Date.now())))
    .replace(/\{(\w+)\}/g, (_, name: string) => shellWord(`${row[name] ?? ''}`))
}

/** A comparison with a value of a row, in the SQL of both databases. */
function sqlIs(value: unknown): string {
  if (value === null || value === undefined) return 'IS NULL'
  if (value instanceof Uint8Array) return `= x'${Buffer.from(value).toString('hex')}'`
  return typeof value === 'number' ? `= ${value}` : `= '${String(value).replaceAll("'", "''")}'`
}

/** The fix for what nothing else repairs. */
export const RESTORE = 'restore the store from a backup'

const SQL = 'run `{sql}` in the database'
const ANSWER_AGAIN = `${SQL}, and ask the reviewer to answer again`
const SIGN_IN = `nothing else is lost: ${SQL}, and sign in again`
const NO_HOST = 'remove it with `housestyle host remove {host}`, and add it again for a place that exists'
const NO_CLIENT = 'delete it with `housestyle client delete {id}`, and make another'

/** SQLite checks foreign keys only of changes through this program. A row without a project is about its workspace. */
const HAS_WORKSPACE = 'EXISTS (SELECT 1 FROM workspace o WHERE o.id = a.workspace)'
const HAS_PROJECT = 'EXISTS (SELECT 1 FROM project o WHERE o.workspace = a.workspace AND o.id = a.project)'
const OF_WORKSPACE = { 'refers to a missing workspace': HAS_WORKSPACE }
const OF_PROJECT = {
  'refers to a missing project': `CASE WHEN a.project IS NULL THEN ${HAS_WORKSPACE} ELSE ${HAS_PROJECT} END`,
}

/** The definitions and rules of a table, and the repairs of its rows, all as data. */
type TableChecks = {
  /** All definitions by which its rows are read. */
  rows: readonly Pick<Rows<unknown>, 'read'>[]
  /** Conditions in SQL that each row `a` meets, by what a row does that does not. */
  rules?: Readonly<Record<string, string>>
  /** The columns that identify a row in a statement, by default its id. */
  key?: readonly string[]
  /** Assignments that repair these columns. `{now}` is the time. */
  repairs?: Readonly<Record<string, string>>
  /** What follows a repair, as the end of a sentence. */
  after?: string
  /** The fix for all else, by default a backup. `{sql}` deletes the row; `{column}` has its value. */
  fix?: string
}

const endsAt = (table: string) => defineRows(table, { endedAt: optional(date('ended_at')) }, table)
const CHANGE = defineRows('change', { event: optional(choice('event', ...EVENT_TYPES)) }, 'change')
const IMPORT_AGAIN = ', then import and publish the folder again'
const PROJECT_KEY = ['workspace', 'project']

const TABLES: Readonly<Record<string, TableChecks>> = {
  workspace: {
    rows: [WORKSPACES, WORKSPACE_FIELDS, PROFILES, THEMES],
    repairs: {
      name: 'name = id',
      draft_name: 'draft_name = id',
      contact: 'contact = NULL',
      theme: 'theme = NULL',
      draft_contact: 'draft_contact = NULL',
      draft_theme: 'draft_theme = NULL',
    },
    after: IMPORT_AGAIN,
  },
  project: {
    rows: [PROJECTS, LINKS, FINDINGS],
    rules: OF_WORKSPACE,
    key: ['workspace', 'id'],
    repairs: {
      'created_at updated_at': 'created_at = {now}, updated_at = {now}',
      published_at: 'published_at = {now}',
      file_key: 'file_key = {now}',
      draft_name: 'draft_name = id',
      draft_visibility: "draft_visibility = 'private'",
      draft_revisions: "draft_revisions = 'private'",
      published_visibility: "published_visibility = 'private'",
      published_revisions: "published_revisions = 'private'",
      draft_note: 'draft_note = NULL',
      draft_findings: 'draft_findings = NULL',
      draft_reviewers: 'draft_reviewers = NULL',
      'draft_missing draft_stale': 'draft_missing = NULL, draft_stale = NULL',
      'source edit': 'source = NULL, edit = NULL',
    },
    after: IMPORT_AGAIN,
  },
  revision: {
    rows: [REVISIONS],
    rules: OF_PROJECT,
    key: [...PROJECT_KEY, 'number'],
    repairs: {
      name: 'name = project',
      visibility: "visibility = 'private'",
      who: 'who = NULL',
      note: 'note = NULL',
      reviewed: "reviewed = '{}'",
      published_at: 'published_at = {now}',
      retracted_at: 'retracted_at = {now}',
      freed_at: 'freed_at = {now}',
    },
  },
  review: { rows: [REVIEWS], rules: OF_PROJECT, key: [...PROJECT_KEY, 'reviewer'], fix: ANSWER_AGAIN },
  answer: { rows: [ANSWERS], rules: OF_PROJECT, key: [...PROJECT_KEY, 'reviewer', 'answered_at'], fix: SQL },
  planned_publication: {
    rows: [PLANS],
    rules: {
      ...OF_PROJECT,
      'has an end without a reason': 'a.ended_at IS NULL OR a.reason IS NOT NULL',
      'has a reason without an end': "a.reason IS NULL OR a.ended_at IS NOT NULL OR a.reason = 'right_ended'",
    },
    key: PROJECT_KEY,
    fix: `${SQL}, and plan it again`,
  },
  host: { rows: [HOSTS], rules: OF_PROJECT, fix: NO_HOST },
  mail_choice: {
    rows: [CHOICES, KNOWN_CHOICES],
    rules: OF_WORKSPACE,
    key: ['workspace', 'subject'],
    fix: `${SQL}, and choose again on the page of the workspace`,
  },
  mail: {
    rows: [MAILS],
    rules: {
      ...OF_PROJECT,
      'refers to a missing reader':
        'EXISTS (SELECT 1 FROM mail_choice c WHERE c.workspace = a.workspace AND c.subject = a.subject)',
      'was sent without an attempt': 'a.next_at IS NOT NULL OR a.attempts > 0',
    },
    fix: SQL,
  },
  picture_facts: { rows: [PICTURE_FACTS], key: ['workspace', 'hash', 'version'], fix: SQL },
  book: { rows: [BOOKS], key: [...PROJECT_KEY, 'snapshot', 'edition', 'made_at'], fix: SQL },
  usage: { rows: [USAGE], rules: OF_PROJECT, key: [...PROJECT_KEY, 'day', 'kind', 'item'], fix: SQL },
  client: { rows: [CLIENTS], rules: OF_WORKSPACE, fix: NO_CLIENT },
  token: { rows: [TOKENS], fix: 'revoke it with `housestyle token revoke {jti}`, and issue another' },
  share: { rows: [SHARES], fix: 'revoke it with `housestyle share revoke {id}`, and make another' },
  signing_key: { rows: [SIGNING_KEYS] },
  signin: { rows: [SIGNINS], fix: 'remove it with `housestyle signin remove {id}`, and add it again' },
  session: { rows: [SESSIONS, endsAt('session')], fix: SIGN_IN },
  connection: { rows: [CONNECTIONS, endsAt('connection')], fix: SIGN_IN },
  authorization_state: { rows: [STATES], key: ['kind', 'id'], fix: SIGN_IN },
  event: { rows: [EVENTS], key: ['number'], fix: SQL },
  notice: {
    rows: [NOTICES],
    rules: {
      ...OF_PROJECT,
      'is of an unknown instance of its project':
        'EXISTS (SELECT 1 FROM project o WHERE o.workspace = a.workspace AND o.id = a.project AND o.instance = a.instance)',
      'has a number above all changes': 'a.number <= (SELECT COALESCE(MAX(c.number), 0) FROM change c)',
    },
    fix: SQL,
  },
  webhook: { rows: [WEBHOOKS], fix: 'delete it with `housestyle webhook delete {id}`, and add it again' },
  delivery: { rows: [DELIVERIES], key: ['webhook', 'id'], fix: SQL },
  change: { rows: [CHANGE], key: ['number'], repairs: { event: 'event = NULL' } },
  git_source: {
    rows: [GIT_SOURCES],
    repairs: {
      'requested_at checked_at good_at': 'requested_at = 0, checked_at = 0, good_at = 0',
      failure: 'failure = NULL',
    },
    fix: `${SQL}, and take its projects again with \`housestyle pull --take\``,
  },
  deleted_project: { rows: [DELETED] },
}
