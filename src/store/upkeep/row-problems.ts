import { STATES } from '../access/authorization-state.ts'
import { CLIENTS } from '../access/clients.ts'
import { CONNECTIONS } from '../access/connections.ts'
import { HOSTS } from '../access/hosts.ts'
import { CHOICES, MAILS } from '../access/mail.ts'
import { SESSIONS } from '../access/sessions.ts'
import { SHARES } from '../access/shares.ts'
import { SIGNING_KEYS } from '../access/signing-keys.ts'
import { SIGNINS } from '../access/signins.ts'
import { TOKENS } from '../access/tokens.ts'
import { PROFILES, PROJECTS, THEMES, WORKSPACES } from '../catalogue/catalogue.ts'
import { FINDINGS } from '../catalogue/draft-findings.ts'
import { LINKS } from '../catalogue/edit-links.ts'
import { EVENT_TYPES, EVENTS } from '../catalogue/events.ts'
import { GIT_SOURCES } from '../catalogue/git-sources.ts'
import { REVISIONS } from '../catalogue/history.ts'
import { NOTICES } from '../catalogue/notices.ts'
import { PLANS } from '../catalogue/plans.ts'
import { DELETED } from '../catalogue/pointers.ts'
import { ANSWERS, REVIEWS } from '../catalogue/reviews.ts'
import { USAGE } from '../catalogue/usage.ts'
import { DELIVERIES, WEBHOOKS } from '../catalogue/webhooks.ts'
import { WORKSPACE_FIELDS } from '../catalogue/workspace-fields.ts'
import { keyOf } from '../database/damaged-row.ts'
import type { Database, Queries, Row } from '../database/database.ts'
import { choice, date, defineRows, optional, type Rows } from '../database/table.ts'
import { type ContentPlace, DamagedContent } from '../store-error.ts'
import type { Problem } from './problem.ts'

/** Finds the rows of all tables that cannot be read, or whose workspace or project is missing. */
export async function rowProblems(database: Database): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const [table, { fix, owner }] of Object.entries(TABLES)) {
    const found: Problem[] = []
    const add = (row: Row, message: string) => {
      if (found.length === MAX_PROBLEMS) return
      const advice = fix?.(row) ?? RESTORE
      found.push({
        check: 'database',
        subject: `the table ${table}`,
        message: `has a row that ${message}`,
        fix: advice,
      })
    }
    await database.scan(`SELECT * FROM ${table}`, rows => {
      for (const row of rows) {
        const problem = rowProblem(table, row)
        if (problem !== undefined) add(row, `cannot be read: ${nameOf(row)}: ${problem}`)
      }
    })
    for (const row of owner ? await database.all(`SELECT a.* FROM ${table} a ${WITHOUT[owner]}`) : [])
      add(row, `refers to a missing ${owner}: ${nameOf(row)}`)
    problems.push(...found)
  }
  return problems
}

/** Whether a damaged row was repaired or removed. */
export async function isRowSound(queries: Queries, place: RowPlace): Promise<boolean> {
  return (await findRowProblem(queries, place)) === undefined
}

type RowPlace = Pick<Extract<ContentPlace, { kind: 'row' }>, 'table' | 'key'>

/** The problem of a row in the store; undefined if it is sound or missing. */
export async function findRowProblem(queries: Queries, { table, key }: RowPlace): Promise<string | undefined> {
  const columns = Object.entries(key).flatMap(([column, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [{ column, value }] : [],
  )
  const where = columns.map(({ column }) => `${column} = ?`).join(' AND ')
  const row = await queries.get(`SELECT * FROM ${table} WHERE ${where}`, ...columns.map(({ value }) => value))
  return row && rowProblem(table, row)
}

function rowProblem(table: string, row: Row): string | undefined {
  try {
    for (const { read } of TABLES[table]?.rows ?? []) read(row)
    return undefined
  } catch (error) {
    if (error instanceof DamagedContent && error.place.kind === 'row') return error.place.problem
    throw error
  }
}

function nameOf(row: Row): string {
  return Object.values(keyOf(row)).join(' ')
}

const MAX_PROBLEMS = 100

export const RESTORE = 'restore the store from a backup'

/** SQLite checks foreign keys only of changes through this program. A row without a project is about its workspace. */
const WITHOUT = {
  workspace: `LEFT JOIN workspace b ON b.id = a.workspace WHERE b.id IS NULL LIMIT ${MAX_PROBLEMS}`,
  project: `LEFT JOIN project b ON b.workspace = a.workspace AND b.id = a.project
    WHERE b.id IS NULL AND (a.project IS NOT NULL OR a.workspace NOT IN (SELECT id FROM workspace)) LIMIT ${MAX_PROBLEMS}`,
}

/** How the rows of a table are read, what they belong to, and the fix for a damaged one. */
type TableChecks = {
  rows: readonly Pick<Rows<unknown>, 'read'>[]
  owner?: keyof typeof WITHOUT
  fix?: (row: Row) => string
}

const projectOf = ({ workspace, project }: Row) => `${workspace}/${project}`
const endsAt = (table: string) => defineRows(table, { endedAt: optional(date('ended_at')) }, table)
const answerAgain = () => 'ask the reviewer to answer again: the answer counts as a request for changes until then'
const signInAgain = () => 'nothing is lost: sign in again'

const TABLES: Readonly<Record<string, TableChecks>> = {
  workspace: { rows: [WORKSPACES, WORKSPACE_FIELDS, PROFILES, THEMES] },
  project: { rows: [PROJECTS, LINKS, FINDINGS], owner: 'workspace' },
  revision: { rows: [REVISIONS], owner: 'project' },
  review: { rows: [REVIEWS], owner: 'project', fix: answerAgain },
  answer: { rows: [ANSWERS], owner: 'project', fix: () => 'nothing to do: it is an earlier answer, and only shown' },
  planned_publication: {
    rows: [PLANS],
    owner: 'project',
    fix: row => `cancel it with \`housestyle publish ${projectOf(row)} --cancel\`, and plan it again`,
  },
  host: {
    rows: [HOSTS],
    owner: 'project',
    fix: ({ host }) =>
      `remove it with \`housestyle host remove ${typeof host === 'string' ? host : ''}\`, and add it again`,
  },
  mail_choice: { rows: [CHOICES], owner: 'workspace', fix: () => 'set the choice again on the page of the workspace' },
  mail: { rows: [MAILS], owner: 'project', fix: () => 'nothing to do: it is removed when it is due' },
  usage: { rows: [USAGE], fix: () => 'nothing to do: the count is wrong and only shown' },
  client: {
    rows: [CLIENTS],
    owner: 'workspace',
    fix: ({ id }) => `delete it with \`housestyle client delete ${id}\`, and make another`,
  },
  token: { rows: [TOKENS], fix: ({ jti }) => `revoke it with \`housestyle token revoke ${jti}\`, and issue another` },
  share: { rows: [SHARES], fix: ({ id }) => `revoke it with \`housestyle share revoke ${id}\`, and make another` },
  signing_key: { rows: [SIGNING_KEYS] },
  signin: { rows: [SIGNINS], fix: ({ id }) => `remove it with \`housestyle signin remove ${id}\`, and add it again` },
  session: { rows: [SESSIONS, endsAt('session')], fix: signInAgain },
  connection: { rows: [CONNECTIONS, endsAt('connection')], fix: signInAgain },
  authorization_state: { rows: [STATES], fix: signInAgain },
  event: { rows: [EVENTS], fix: () => 'nothing to do: it is removed after 30 days' },
  notice: { rows: [NOTICES], owner: 'project', fix: () => 'nothing to do: the file says when its rights end' },
  webhook: {
    rows: [WEBHOOKS],
    fix: ({ id }) => `delete it with \`housestyle webhook delete ${id}\`, and add it again`,
  },
  delivery: { rows: [DELIVERIES], fix: () => 'nothing to do: it counts as failed, and is removed after 30 days' },
  change: { rows: [defineRows('change', { event: optional(choice('event', ...EVENT_TYPES)) }, 'change')] },
  git_source: { rows: [GIT_SOURCES], fix: () => 'nothing to do: the next check of the repository writes it again' },
  deleted_project: { rows: [DELETED] },
}
