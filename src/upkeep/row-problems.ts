import { listClients } from '../store/access/clients.ts'
import { listShares } from '../store/access/shares.ts'
import { listSigningKeys } from '../store/access/signing-keys.ts'
import { listSignins } from '../store/access/signins.ts'
import { listTokens } from '../store/access/tokens.ts'
import { listLogos, listProjects, listWorkspaces } from '../store/catalogue/catalogue.ts'
import { listGitSources } from '../store/catalogue/git-sources.ts'
import { listReadableReferences } from '../store/catalogue/references.ts'
import { listReviews } from '../store/catalogue/reviews.ts'
import { listWebhooks } from '../store/catalogue/webhooks.ts'
import { keyOf, type Readable } from '../store/database/damaged-row.ts'
import { type Database, numberOf, type Queries, type Row, textOf } from '../store/database/database.ts'
import { CHECKED_TABLES, rowProblem } from '../store/database/row-checks.ts'
import type { Problem } from './problem.ts'

/**
 * Finds rows with an invalid value, id or JSON, rows that refer to missing rows, and publications whose visibility
 * differs from their revision's.
 */
export async function rowProblems(database: Database): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const table of CHECKED_TABLES) {
    const found = await valueProblems(database, table)
    problems.push(...(found.length > 0 ? found : await readingProblems(database, table)))
  }
  return [...problems, ...(await missingRows(database)), ...(await visibilityProblems(database))]
}

function problemOf(table: string, message: string): Problem {
  return { check: 'database', subject: `the table ${table}`, message, fix: FIXES[table] ?? RESTORE }
}

const RESTORE = 'restore the store from a backup'
const FIXES: Readonly<Record<string, string>> = {
  client: `delete the client with \`housestyle client delete\` and make another, or ${RESTORE}`,
}

async function valueProblems(database: Database, table: string): Promise<Problem[]> {
  const problems: Problem[] = []
  await database.scan(`SELECT * FROM ${table}`, rows => {
    for (const row of rows) {
      const problem = rowProblem(table, row)
      if (problem !== undefined && problems.length < MAX_PROBLEMS)
        problems.push(problemOf(table, `has a row that cannot be read: ${nameOf(row)}: ${problem}`))
    }
  })
  return problems
}

/** The most problems of a table. */
const MAX_PROBLEMS = 100

function nameOf(row: Row): string {
  return Object.values(keyOf(row)).join(' ')
}

/** Reads a table as commands do, which also checks ids. */
async function readingProblems(queries: Queries, table: string): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const [, read] of READERS.filter(([each]) => each === table))
    for (const { place } of (await read(queries)).damaged)
      if (place.kind === 'row')
        problems.push(problemOf(table, `has a row that cannot be read: ${nameOf(place.key)}: ${place.problem}`))
  return problems.slice(0, MAX_PROBLEMS)
}

type Damaged = Pick<Readable<unknown>, 'damaged'>

const READERS: readonly (readonly [table: string, read: (queries: Queries) => Promise<Damaged>])[] = [
  ['workspace', listWorkspaces],
  ['workspace', listLogos],
  ['project', listReadable],
  ['review', queries => listReviews(queries)],
  ['client', listClients],
  ['token', listTokens],
  ['share', listShares],
  ['signing_key', listSigningKeys],
  ['signin', listSignins],
  ['webhook', listWebhooks],
  ['git_source', listGitSources],
]

/** Reads projects, unless a pointer dangles: that is reported for the pointer. */
async function listReadable(queries: Queries): Promise<Damaged> {
  const { records, damaged } = await listReadableReferences(queries)
  return damaged.length === 0 && records.every(({ snapshot }) => snapshot) ? listProjects(queries) : { damaged }
}

/** SQLite checks foreign keys only of changes through this program. */
async function missingRows(queries: Queries): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const [table, owner, join] of FOREIGN_KEYS) {
    const sql = `SELECT a.* FROM ${table} a LEFT JOIN ${owner} b ON ${join} WHERE b.id IS NULL LIMIT ${MAX_PROBLEMS}`
    for (const row of await queries.all(sql))
      problems.push(problemOf(table, `has a row that refers to a missing ${owner}: ${nameOf(row)}`))
  }
  return problems
}

const FOREIGN_KEYS = [
  ['client', 'workspace', 'b.id = a.workspace'],
  ['project', 'workspace', 'b.id = a.workspace'],
  ['revision', 'project', 'b.workspace = a.workspace AND b.id = a.project'],
] as const

/** If only the row were changed, a private project would be public. */
async function visibilityProblems(queries: Queries): Promise<Problem[]> {
  const rows = await queries.all(DIFFERING)
  const hasTexts = ({ served, published }: Row) => typeof served === 'string' && typeof published === 'string'
  return rows.filter(hasTexts).map(row => ({
    check: 'pointer',
    subject: `${textOf(row, 'workspace')}/${textOf(row, 'id')}`,
    message: `is served as ${textOf(row, 'served')}, but its revision ${numberOf(row, 'number')} was published as ${textOf(row, 'published')}`,
    fix: `publish it again with the right visibility, or ${RESTORE}`,
  }))
}

const DIFFERING = `SELECT p.workspace, p.id, p.published_visibility AS served, r.number, r.visibility AS published
  FROM project p JOIN revision r ON r.workspace = p.workspace AND r.project = p.id AND r.number = p.published_revision
  WHERE p.published_visibility <> r.visibility ORDER BY p.workspace, p.id LIMIT ${MAX_PROBLEMS}`
