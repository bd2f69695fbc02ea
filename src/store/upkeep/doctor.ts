import { accessSync, constants, existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { shellWord } from '#platform/base/text.ts'
import { listLatestBooks } from '../catalogue/books.ts'
import { clockDifference, type StoreClock } from '../clock.ts'
import { type ContentLockOptions, withContentLock } from '../content-lock.ts'
import type { Queries } from '../database/database.ts'
import { choice, date, defineRows, MAX_DATE_MS, number, optional, text } from '../database/table.ts'
import { areBound, hasStoredFiles } from '../identity.ts'
import { storePaths } from '../paths.ts'
import { RESTORE, rowProblems } from '../row-problems.ts'
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
    const problem = await store.database.problem?.()
    return [
      ...faults.map(databaseProblem),
      ...(problem ? [{ check: 'database', subject: 'the database', ...problem } as const] : []),
      ...(await ownerProblems(store)),
      ...(await clockProblems(store.database, options.now())),
      ...offsetProblems(store.clock),
      ...(await rowProblems(store.database, faults.length > 0)),
      ...(await visibilityProblems(store.database)),
      ...(await revisionDateProblems(store.database)),
      ...(await bookProblems(store.database)),
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

/** Tolerates small corrections of the clock. */
const LEEWAY_MS = 60_000
/** The columns that have the time of a change. */
const DATED = [
  ['project', 'updated_at'],
  ['revision', 'published_at'],
  ['token', 'issued_at'],
  ['signing_key', 'created_at'],
  ['client', 'created_at'],
  ['share', 'created_at'],
]
/** The time of the latest change. Only valid dates: `rowProblems` reports the others. */
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

/** The paths of the folders in a folder. Empty if it cannot be read, which is reported for the folder itself. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isDirectory())
    .map(entry => join(folder, entry.name))
    .sort()
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

/** Warns of the books that could not be made. */
async function bookProblems(queries: Queries): Promise<Problem[]> {
  const fix = 'the service tries again every hour; `housestyle export --to pdf` shows whether it works'
  const failed = (await listLatestBooks(queries)).filter(({ hash }) => !hash)
  return failed.map(({ workspace, project, problem }) => {
    const message = `has no book to download: ${problem}`
    return { severity: 'warning', check: 'file', subject: `${workspace}/${project}`, message, fix }
  })
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

/**
 * Finds projects that are served to others than their revision was published for. If only the row were changed, a private
 * project would be public. `rowProblems` reports other values.
 */
async function visibilityProblems(queries: Queries): Promise<Problem[]> {
  const { records } = await DIFFERING.readable(
    queries,
    `WHERE p.published_visibility <> r.visibility ORDER BY p.workspace, p.id LIMIT 100`,
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
    served: choice('p.published_visibility AS served', 'private', 'public'),
    number: number('r.number'),
    published: choice('r.visibility AS published', 'private', 'public'),
  },
  'project',
)
