import { errorMessage } from '../base/error.ts'
import { listClients } from '../store/access/clients.ts'
import { listShares } from '../store/access/shares.ts'
import { listSigningKeys } from '../store/access/signing-keys.ts'
import { listSignins } from '../store/access/signins.ts'
import { listTokens } from '../store/access/tokens.ts'
import { listProjects, listWorkspaces } from '../store/catalogue/catalogue.ts'
import { listReferences } from '../store/catalogue/references.ts'
import { listWebhooks } from '../store/catalogue/webhooks.ts'
import { numberOf, type Queries, textOf } from '../store/database/database.ts'
import type { Problem } from './problem.ts'

/** Finds rows of the catalogue that refer to missing rows, or have a value that the column cannot have. */
export async function rowProblems(queries: Queries): Promise<Problem[]> {
  return [...(await missingRows(queries)), ...(await wrongValues(queries)), ...(await unreadableRows(queries))]
}

function problemOf(table: string, message: string): Problem {
  return { check: 'database', subject: `the table ${table}`, message, fix: 'restore the store from a backup' }
}

/** Neither workspaces, which are never deleted, nor other parents of these rows are ever missing. */
async function missingRows(queries: Queries): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const [child, column, parent] of REFERENCES) {
    const rows = await queries.all(
      `SELECT DISTINCT ${column} AS id FROM ${child}
        WHERE NOT EXISTS (SELECT 1 FROM ${parent} WHERE ${parent}.id = ${child}.${column}) ORDER BY id LIMIT 100`,
    )
    for (const row of rows) problems.push(problemOf(child, `refers to the missing ${parent} ${textOf(row, 'id')}`))
  }
  for (const child of ['revision', 'share']) {
    const rows = await queries.all(
      `SELECT DISTINCT workspace, project FROM ${child} WHERE NOT EXISTS (SELECT 1 FROM project
        WHERE project.workspace = ${child}.workspace AND project.id = ${child}.project) ORDER BY workspace, project LIMIT 100`,
    )
    for (const row of rows)
      problems.push(
        problemOf(child, `refers to the missing project ${textOf(row, 'workspace')}/${textOf(row, 'project')}`),
      )
  }
  return problems
}

const OF_WORKSPACES = [
  'project',
  'deleted_project',
  'client',
  'token',
  'share',
  'signin',
  'session',
  'webhook',
  'event',
]

/** Tables, their columns, and the tables with these ids. */
const REFERENCES = [
  ...OF_WORKSPACES.map(table => [table, 'workspace', 'workspace'] as const),
  ['delivery', 'webhook', 'webhook'] as const,
]

async function wrongValues(queries: Queries): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { table, column, values } of VALUES) {
    const list = values.map(value => (typeof value === 'number' ? value : `'${value}'`)).join(', ')
    const row = await queries.get(`SELECT COUNT(*) AS count FROM ${table} WHERE ${column} NOT IN (${list})`)
    const count = row ? numberOf(row, 'count') : 0
    const message = `has ${count} rows whose ${column} is not one of ${values.join(', ')}`
    if (count > 0) problems.push(problemOf(table, message))
  }
  return problems
}

type Values = { table: string; column: string; values: readonly (string | number)[] }

const VISIBILITY = ['public', 'private']
const REVISIONS = ['served', 'private']

/** The values of columns, some of which may also be null. */
const VALUES: readonly Values[] = [
  { table: 'project', column: 'draft_visibility', values: VISIBILITY },
  { table: 'project', column: 'draft_revisions', values: REVISIONS },
  { table: 'project', column: 'published_visibility', values: VISIBILITY },
  { table: 'project', column: 'published_revisions', values: REVISIONS },
  { table: 'revision', column: 'visibility', values: VISIBILITY },
  { table: 'change', column: 'event', values: ['published', 'unpublished'] },
  { table: 'event', column: 'type', values: ['published', 'unpublished', 'deleted'] },
  { table: 'delivery', column: 'state', values: ['waiting', 'delivered', 'failed'] },
  { table: 'webhook', column: 'disabled_reason', values: ['gone', 'failing'] },
  { table: 'session', column: 'drafts', values: [0, 1] },
  { table: 'share', column: 'draft', values: [0, 1] },
]

/** Rows with an invalid id or JSON, or with a value of another type. */
async function unreadableRows(queries: Queries): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const [table, read] of READERS)
    try {
      await read(queries)
    } catch (error) {
      problems.push(problemOf(table, `has a row that cannot be read: ${errorMessage(error)}`))
    }
  return problems
}

const READERS: readonly (readonly [table: string, read: (queries: Queries) => Promise<unknown>])[] = [
  ['workspace', listWorkspaces],
  ['project', listReadable],
  ['client', listClients],
  ['token', listTokens],
  ['share', listShares],
  ['signing_key', listSigningKeys],
  ['signin', listSignins],
  ['webhook', listWebhooks],
]

/** Reads projects, unless a pointer dangles: that is reported for the pointer. */
async function listReadable(queries: Queries): Promise<void> {
  const references = await listReferences(queries)
  if (references.every(({ snapshot }) => snapshot)) await listProjects(queries)
}
