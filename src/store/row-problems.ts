import { shellWord } from '#platform/base/text.ts'
import { STATES } from './access/authorization-state.ts'
import { CLIENTS } from './access/clients.ts'
import { CONNECTIONS } from './access/connections.ts'
import { HOSTS } from './access/hosts.ts'
import { CHOICES, KNOWN_KINDS, MAILS } from './access/mail.ts'
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
import { keyOf } from './database/damaged-row.ts'
import type { Database, Queries, Row } from './database/database.ts'
import { choice, date, defineRows, optional, type Rows } from './database/table.ts'
import { type ContentPlace, DamagedContent } from './store-error.ts'

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
  for (const [table, { owner, fix = RESTORE }] of Object.entries(TABLES)) {
    const numbers = wrong.filter(each => each.table === table).map(({ column }) => column)
    let left = MAX_PROBLEMS
    await database.scan(`SELECT a.*, ${owner ? OWNED[owner] : 1} AS owned FROM ${table} a`, rows => {
      for (const row of rows) {
        const name = Object.values(keyOf(row)).join(' ')
        const unread = problemIn(table, row) ?? wrongTypeIn(row, numbers)
        if ((unread === undefined && row.owned) || left-- <= 0) continue
        const why =
          unread === undefined ? `refers to a missing ${owner}: ${name}` : `cannot be read: ${name}: ${unread}`
        const message = `has a row that ${why}`
        problems.push({
          check: 'database',
          subject: `the table ${table}`,
          message,
          fix: isFileDamaged ? RESTORE : withValues(fix, row),
        })
      }
    })
  }
  return problems
}

const MAX_PROBLEMS = 100

/** The problem of a row in the store; undefined if it is sound or missing. */
export async function findRowProblem(queries: Queries, { table, key }: RowPlace): Promise<string | undefined> {
  const columns = Object.entries(key).flatMap(([column, value]) =>
    typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array ? [{ column, value }] : [],
  )
  const where = columns.map(({ column }) => `${column} = ?`).join(' AND ')
  const row = await queries.get(`SELECT * FROM ${table} WHERE ${where}`, ...columns.map(({ value }) => value))
  return row && problemIn(table, row)
}

type RowPlace = Pick<Extract<ContentPlace, { kind: 'row' }>, 'table' | 'key'>

function problemIn(table: string, row: Row): string | undefined {
  try {
    for (const { read } of TABLES[table]?.rows ?? []) read(row)
    return undefined
  } catch (error) {
    if (error instanceof DamagedContent && error.place.kind === 'row') return error.place.problem
    throw error
  }
}

/** The problem of a value that nothing reads as a number now. */
function wrongTypeIn(row: Row, columns: readonly string[]): string | undefined {
  const wrong = columns.find(column => row[column] !== null && !Number.isInteger(row[column]))
  return wrong && `the column ${wrong} has a value that is not a whole number`
}

/** Replaces `{column}` by the value of a row. */
function withValues(fix: string, row: Row): string {
  return fix.replace(/\{(\w+)\}/g, (_, column: string) => shellWord(`${row[column] ?? ''}`))
}

export const RESTORE = 'restore the store from a backup'

/** SQLite checks foreign keys only of changes through this program. A row without a project is about its workspace. */
const WORKSPACE = 'EXISTS (SELECT 1 FROM workspace o WHERE o.id = a.workspace)'
const PROJECT = 'EXISTS (SELECT 1 FROM project o WHERE o.workspace = a.workspace AND o.id = a.project)'
const OWNED = { workspace: WORKSPACE, project: `CASE WHEN a.project IS NULL THEN ${WORKSPACE} ELSE ${PROJECT} END` }

/** How the rows of a table are read, what they belong to, and the fix for a damaged one. */
type TableChecks = { rows: readonly Pick<Rows<unknown>, 'read'>[]; owner?: keyof typeof OWNED; fix?: string }

const endsAt = (table: string) => defineRows(table, { endedAt: optional(date('ended_at')) }, table)
const CHANGE = defineRows('change', { event: optional(choice('event', ...EVENT_TYPES)) }, 'change')
const ANSWER_AGAIN = 'ask the reviewer to answer again: the answer counts as a request for changes until then'
const CHOOSE_AGAIN = 'set the choice again on the page of the workspace'
const SIGN_IN = 'nothing is lost: sign in again'
const CANCEL = 'cancel it with `housestyle publish {workspace}/{project} --cancel`, and plan it again'
const NO_HOST = 'remove it with `housestyle host remove {host}`, and add it again for a place that exists'
const NO_CLIENT = 'delete it with `housestyle client delete {id}`, and make another'

const TABLES: Readonly<Record<string, TableChecks>> = {
  workspace: { rows: [WORKSPACES, WORKSPACE_FIELDS, PROFILES, THEMES] },
  project: { rows: [PROJECTS, LINKS, FINDINGS], owner: 'workspace' },
  revision: { rows: [REVISIONS], owner: 'project' },
  review: { rows: [REVIEWS], owner: 'project', fix: ANSWER_AGAIN },
  answer: { rows: [ANSWERS], owner: 'project', fix: 'nothing to do: it is an earlier answer, and only shown' },
  planned_publication: { rows: [PLANS], owner: 'project', fix: CANCEL },
  host: { rows: [HOSTS], owner: 'project', fix: NO_HOST },
  mail_choice: { rows: [CHOICES, KNOWN_KINDS], owner: 'workspace', fix: CHOOSE_AGAIN },
  mail: { rows: [MAILS], owner: 'project', fix: 'nothing to do: it is removed within a day after it is due' },
  picture_facts: { rows: [PICTURE_FACTS], fix: 'nothing to do: pages show the picture as its name says' },
  book: { rows: [BOOKS], fix: 'nothing to do: the service makes the book again' },
  usage: { rows: [USAGE], fix: 'nothing to do: the count is wrong and only shown' },
  client: { rows: [CLIENTS], owner: 'workspace', fix: NO_CLIENT },
  token: { rows: [TOKENS], fix: 'revoke it with `housestyle token revoke {jti}`, and issue another' },
  share: { rows: [SHARES], fix: 'revoke it with `housestyle share revoke {id}`, and make another' },
  signing_key: { rows: [SIGNING_KEYS] },
  signin: { rows: [SIGNINS], fix: 'remove it with `housestyle signin remove {id}`, and add it again' },
  session: { rows: [SESSIONS, endsAt('session')], fix: SIGN_IN },
  connection: { rows: [CONNECTIONS, endsAt('connection')], fix: SIGN_IN },
  authorization_state: { rows: [STATES], fix: SIGN_IN },
  event: { rows: [EVENTS], fix: 'nothing to do: it is removed after 30 days' },
  notice: { rows: [NOTICES], owner: 'project', fix: 'nothing to do: the file says when its rights end' },
  webhook: { rows: [WEBHOOKS], fix: 'delete it with `housestyle webhook delete {id}`, and add it again' },
  delivery: { rows: [DELIVERIES], fix: 'nothing to do: it counts as failed, and is removed after 30 days' },
  change: { rows: [CHANGE] },
  git_source: { rows: [GIT_SOURCES], fix: 'nothing to do: the next check of the repository writes it again' },
  deleted_project: { rows: [DELETED] },
}
