import { accessSync, constants, existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { shellWord } from '#platform/base/text.ts'
import { listClients } from '../access/clients.ts'
import { listHosts } from '../access/hosts.ts'
import { listShares } from '../access/shares.ts'
import { listSigningKeys } from '../access/signing-keys.ts'
import { listSignins } from '../access/signins.ts'
import { listTokens } from '../access/tokens.ts'
import { listLogos, listProjects, listWorkspaces } from '../catalogue/catalogue.ts'
import { listGitSources } from '../catalogue/git-sources.ts'
import { listReadableReferences } from '../catalogue/references.ts'
import { listReviews } from '../catalogue/reviews.ts'
import { CHECKED_TABLES, MAX_DATE_MS, rowProblem } from '../catalogue/row-checks.ts'
import { listWebhooks } from '../catalogue/webhooks.ts'
import { clockDifference, type StoreClock } from '../clock.ts'
import { type ContentLockOptions, withContentLock } from '../content-lock.ts'
import { keyOf, type Readable } from '../database/damaged-row.ts'
import type { Database, Queries, Row } from '../database/database.ts'
import { date, defineRows, number, optional, text } from '../database/table.ts'
import { areBound, hasStoredFiles } from '../identity.ts'
import { storePaths } from '../paths.ts'
import { hasStore, type Store } from '../store.ts'
import { ACCESS_FIX } from '../store-error.ts'
import { contentProblems } from './content-problems.ts'
import type { Problem } from './problem.ts'

/** Options of an examination; `progress` counts objects and files. */
export type ExamineOptions = Omit<ContentLockOptions, 'command'> & {
  now: () => Date
  progress: (done: number, total: number) => void
}

/** Finds all problems of an open store: its database, its owner, the clock, and every byte of its contents. */
export async function examineStore(store: Store, options: ExamineOptions): Promise<Problem[]> {
  return withContentLock(store.locks, 'shared', { ...options, command: 'doctor' }, async () => {
    const faults = await store.database.faults()
    const damage = [...faults, ...(faults.length > 0 ? [] : ((await store.database.wrongTypes?.()) ?? []))].map(
      databaseProblem,
    )
    const problem = await store.database.problem?.()
    return [
      ...damage,
      ...(problem ? [{ check: 'database', subject: 'the database', ...problem } as const] : []),
      ...(await ownerProblems(store)),
      ...(await clockProblems(store.database, options.now())),
      ...offsetProblems(store.clock),
      ...(await rowProblems(store.database)),
      ...(await revisionDateProblems(store.database)),
      ...(await contentProblems(store, options)),
    ]
  })
}

function databaseProblem(message: string): Problem {
  const fix = 'restore the store from a backup; the disk may be failing'
  return { check: 'database', subject: 'the catalogue', message: `is damaged: ${message}`, fix }
}

/** Checks that the files belong to the store. Opening the store has bound them already if it could write to them. */
async function ownerProblems({ database, files, identity }: Store): Promise<Problem[]> {
  if ((await files.owner()) === identity.urn) return []
  if ((await areBound(database)) && (await hasStoredFiles(files)))
    return [
      {
        check: 'database',
        subject: 'the files',
        message: 'no longer name this store as their owner',
        fix: rebindFix(identity.urn),
      },
    ]
  const message = 'do not name this store as their owner, and cannot be written to'
  return [{ check: 'rights', subject: 'the files', message, fix: ACCESS_FIX }]
}

function rebindFix(urn: string): string {
  return `restore a backup into a new folder; or, if no other store owns them, write ${urn} into the file .store in their folder`
}

/** Finds a clock that was set back: revisions get wrong dates, and tokens expire too early or too late. */
async function clockProblems(queries: Queries, now: Date): Promise<Problem[]> {
  const { latest = 0 } = (await LATEST.one(queries, '')) ?? {}
  if (latest <= now.getTime() + LEEWAY_MS) return []
  const message = `says ${now.toISOString()}, and the store was last changed at ${new Date(latest).toISOString()}`
  return [{ check: 'clock', subject: 'the clock of this machine', message, fix: 'set the clock, for example with NTP' }]
}

/** Tokens and dates use the database's time; certificates and bucket keys use the machine's time. */
function offsetProblems(clock: StoreClock): Problem[] {
  const difference = clockDifference(clock.offsetMs())
  if (difference === undefined) return []
  const fix = 'set the clock, for example with NTP; until then tokens and dates use the time of the database'
  return [{ check: 'clock', subject: 'the clock of this machine', message: `is ${difference}`, fix }]
}

const LEEWAY_MS = 60_000
/** Only valid dates: `rowProblems` reports the others. */
const DATED = [
  ['project', 'updated_at'],
  ['revision', 'published_at'],
  ['token', 'issued_at'],
  ['signing_key', 'created_at'],
  ['client', 'created_at'],
  ['share', 'created_at'],
]
const LATEST = defineRows(
  `(${DATED.map(
    ([table, column]) => `SELECT MAX(${column}) AS at FROM ${table} WHERE ${column} <= ${MAX_DATE_MS}`,
  ).join(' UNION ALL ')}) AS times`,
  { latest: optional(number('MAX(at) AS latest')) },
)

/** Finds problems of a data folder and its disk without opening the store. Ignores a folder without a store. */
export async function examineFolder(folder: string, freeBytes = freeBytesAt): Promise<Problem[]> {
  if (!(await hasStore(folder).catch(() => true))) return []
  const { database, files } = storePaths(folder)
  const problems: Problem[] = []
  for (const path of [folder, database, `${database}-wal`, `${database}-shm`, files]) {
    const stats = await stat(path).catch(() => undefined)
    if (!stats) continue
    const openBits = stats.mode & 0o077
    const mode = stats.isDirectory() ? '700' : '600'
    if (openBits !== 0)
      problems.push({
        check: 'rights',
        subject: path,
        message: 'can be accessed by others, and the store contains signing keys',
        fix: `chmod ${mode} ${shellWord(path)}`,
      })
    if (isAccessDenied(path)) problems.push(accessDenied(path))
  }
  for (const path of await foldersInside(folder)) if (isAccessDenied(path)) problems.push(accessDenied(path))
  const free = await freeBytes(folder)
  if (free >= MIN_FREE_BYTES) return problems
  const left = `has ${Math.floor(free / MIB)} MiB left`
  const fix = 'free space with `housestyle gc --keep 100`, or use a larger disk'
  return [...problems, { check: 'space', subject: `the disk of ${folder}`, message: left, fix }]
}

const MIB = 2 ** 20
const MIN_FREE_BYTES = 256 * MIB

async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function isAccessDenied(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return false
  } catch {
    return true
  }
}

function accessDenied(subject: string): Problem {
  return { check: 'rights', subject, message: 'cannot be read and written', fix: ACCESS_FIX }
}

/** The folders inside a data folder, which another user may have made. */
async function foldersInside(folder: string): Promise<string[]> {
  const { files, locks, committed } = storePaths(folder)
  const workspaces = await foldersIn(files)
  const parts = await Promise.all(workspaces.map(foldersIn))
  return [...[locks, committed].filter(path => existsSync(path)), ...workspaces, ...parts.flat()]
}

/** Empty if the folder cannot be read, which is reported for the folder itself. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap(entry => (entry.isDirectory() ? [join(folder, entry.name)] : [])).sort()
}

/** Warns of each revision dated before the previous one. Ignores revisions without content. */
async function revisionDateProblems(queries: Queries): Promise<Problem[]> {
  const { records } = await OUT_OF_ORDER.readable(
    queries,
    'WHERE published_at + ? < previous_at AND freed_at IS NULL ORDER BY workspace, project, number',
    ORDER_LEEWAY_MS,
  )
  return records.map(({ workspace, project, number, publishedAt, previous, previousAt }) => ({
    check: 'clock',
    severity: 'warning',
    subject: `${workspace}/${project}`,
    message: `has revisions dated out of order: revision ${number} of ${publishedAt.toISOString()} follows revision ${previous} of ${previousAt.toISOString()}`,
    fix: 'set the clock if it is still wrong, for example with NTP; gc --keep with a time keeps revisions of doubtful age, so also give it a number of revisions',
  }))
}

/** Tolerates small corrections of the clock. */
const ORDER_LEEWAY_MS = 60_000

/** Without rows of wrong types, which `rowProblems` reports. */
const OUT_OF_ORDER = defineRows(
  `(SELECT workspace, project, number, published_at, freed_at,
      LAG(number) OVER (PARTITION BY workspace, project ORDER BY number) AS previous,
      LAG(published_at) OVER (PARTITION BY workspace, project ORDER BY number) AS previous_at
    FROM revision
  ) AS dated`,
  {
    workspace: text('workspace'),
    project: text('project'),
    number: number('number'),
    publishedAt: date('published_at'),
    previous: number('previous'),
    previousAt: date('previous_at'),
  },
  'revision',
)

/** Finds invalid rows, rows that refer to missing ones, and visibilities that differ from the revision's. */
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
  ['host', listHosts],
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
  const { records } = await DIFFERING.readable(
    queries,
    `WHERE p.published_visibility <> r.visibility ORDER BY p.workspace, p.id LIMIT ${MAX_PROBLEMS}`,
  )
  return records.map(({ workspace, project, served, number, published }) => ({
    check: 'pointer',
    subject: `${workspace}/${project}`,
    message: `is served as ${served}, but its revision ${number} was published as ${published}`,
    fix: `publish it again with the right visibility, or ${RESTORE}`,
  }))
}

const DIFFERING = defineRows(
  'project p JOIN revision r ON r.workspace = p.workspace AND r.project = p.id AND r.number = p.published_revision',
  {
    workspace: text('p.workspace'),
    project: text('p.id'),
    served: text('p.published_visibility AS served'),
    number: number('r.number'),
    published: text('r.visibility AS published'),
  },
  'project',
)
