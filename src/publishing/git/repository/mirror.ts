import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, ok } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { GitCredentials } from '../program/credentials.ts'
import {
  type Commit,
  explainFailure,
  type GitFailure,
  type GitProblem,
  type GitResult,
} from '../program/git-problem.ts'
import { type GitRunner, runGit } from '../program/run-git.ts'
import type { RemoteRef } from './remote.ts'

export type MirrorOptions = {
  home: string
  url: string
  maxBytes: number
  credentials: GitCredentials
  /** The number of last commits to fetch; without it, those since the last fetch. */
  depth?: number
  /** The time for a fetch into a mirror that has an earlier commit. One that takes longer begins with an empty mirror. */
  maxMs?: number
  /** The number of last commits to fetch into a new mirror. */
  history?: number
}

type Fetched = GitResult<{ commit: Commit; mirror: GitRunner }>

/**
 * Fetches a commit into a bare mirror, with the commits since the last fetch, under the lock of the source. A mirror that
 * reaches the limit with the files of earlier commits is made again, because only the files of this commit count.
 */
export async function fetchCommit(runner: GitRunner, remote: RemoteRef, options: MirrorOptions): Promise<Fetched> {
  const { home, history = 1 } = options
  const earlierMirror = findMirror(home, remote)
  const update = earlierMirror === undefined ? undefined : await fetchInto(earlierMirror, runner, remote, options)
  if (update && !isTooLarge(update)) return update
  const fromStart = { ...options, maxMs: MAX_FETCH_MS }
  const withHistory = await fetchInto(await makeMirror(runner, home, remote), runner, remote, fromStart)
  if (history === 1 || !isTooLarge(withHistory)) return withHistory
  return fetchInto(await makeMirror(runner, home, remote), runner, remote, { ...fromStart, history: 1 })
}

function isTooLarge(fetched: Fetched): boolean {
  return !fetched.ok && fetched.problem.code === 'git_too_large'
}

/** Fetches a commit into a mirror, unless it has it, and reads it. Removes the mirror if it is too large or damaged. */
async function fetchInto(
  folder: string,
  runner: GitRunner,
  remote: RemoteRef,
  { home, url, maxBytes, credentials, depth, history = 1, maxMs = MAX_FETCH_MS }: MirrorOptions,
): Promise<Fetched> {
  await removeOthers(home, folder)
  const mirror = { ...runner, folder, environment: { ...runner.environment, GIT_DIR: folder } }
  const oversize = () => oversizeOf(folder, url, maxBytes)
  const head = await headOf(mirror)
  if (depth !== undefined || head !== remote.hash) {
    // Without a depth, git fetches the commits that the mirror lacks.
    const commitCount = depth ?? (head === undefined ? history : undefined)
    const depthOption = commitCount === undefined ? [] : [`--depth=${commitCount}`]
    const args = [...FETCH.split(' '), ...depthOption, '--', url, `+${remote.name}:${FETCHED}`]
    await writeFile(join(folder, UNFINISHED), '')
    const fetched = await runGit(mirror, args, { maxMs, watch: oversize })
    if (fetched.ok || (fetched.problem.kind === 'failed' && (await isWhole(mirror)))) await rm(join(folder, UNFINISHED))
    if (!fetched.ok) return failed(explainFailure(`fetch ${url}`, url, fetched.problem, credentials))
  }
  const problem = oversize()
  const commit = problem ? failed(problem) : await readCommit(mirror, url)
  if (!commit.ok) {
    await removeMirror(folder)
    return commit
  }
  if (!existsSync(join(folder, FIRST_SIZE))) await writeFile(join(folder, FIRST_SIZE), `${objectBytes(folder)}`)
  return ok({ commit: commit.value, mirror })
}

/** Only a command that ended by itself shows that the mirror is damaged. */
export function mirrorProblem(url: string, failure: GitFailure): GitProblem {
  const problem = explainFailure(`read the local copy of ${url}`, url, failure)
  return failure.kind === 'failed' && problem.code !== 'pull_failed' ? damagedMirror(url) : problem
}

function damagedMirror(url: string): GitProblem {
  const fix = 'it is fetched again at the next attempt'
  return { code: 'git_damaged', message: `cannot read the local copy of ${url}: it is damaged; ${fix}` }
}

/** git-fetch(1). Only the named ref is fetched. */
const FETCH = 'fetch --quiet --no-tags --force --no-recurse-submodules --no-write-fetch-head --no-auto-maintenance'

/** The ref of the mirror that keeps the fetched commit. */
export const FETCHED = 'refs/housestyle/head'
const MAX_FETCH_MS = 30 * 60_000

/** Exists while a fetch runs, after one that was interrupted, and after one that failed in a damaged mirror. */
const UNFINISHED = 'housestyle-unfinished'
/** Has the size of the mirror after its first fetch, in bytes. */
const FIRST_SIZE = 'housestyle-first-size'

/** Finds a mirror for commits with hashes of this length (SHA-1 or SHA-256) that can be used again. */
function findMirror(home: string, { hash }: RemoteRef): string | undefined {
  const folders = readdirSync(home).filter(name => name.startsWith(`${hash.length}-`))
  return folders.map(name => join(home, name)).find(isUsable)
}

/** Whether a mirror is whole, and has not grown to twice its first size: then it is made again. */
function isUsable(folder: string): boolean {
  if (existsSync(join(folder, UNFINISHED)) || !existsSync(join(folder, FIRST_SIZE))) return false
  const first = Number(readFileSync(join(folder, FIRST_SIZE), 'utf8'))
  return objectBytes(folder) < 2 * first + SPARE_BYTES
}

/** Whether the mirror has every object of its commit. git cleans up after a fetch that fails by itself. */
async function isWhole(mirror: GitRunner): Promise<boolean> {
  return (await runGit(mirror, ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'])).ok
}

/** Makes an empty mirror. Its name is new, because the git of a pull that was killed may still write into an old one. */
async function makeMirror(runner: GitRunner, home: string, { hash }: RemoteRef): Promise<string> {
  const folder = await mkdtemp(join(home, `${hash.length}-`))
  const format = hash.length === SHA256_DIGITS ? 'sha256' : 'sha1'
  const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--initial-branch=main', '.']
  const made = await runGit({ ...runner, folder }, init)
  if (!made.ok) throw new Error(explainFailure(`make ${folder}`, '', made.problem).message)
  return folder
}

const SHA256_DIGITS = 64

async function removeOthers(home: string, folder: string): Promise<void> {
  const others = readdirSync(home).map(name => join(home, name))
  await Promise.all(others.filter(each => each !== folder).map(removeMirror))
}

/** A folder that a process still writes into may stay. The next pull removes it. */
export async function removeMirror(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
}

/** Small mirrors may grow more before they are made again. */
const SPARE_BYTES = 64 << 20

/** The size of the objects in a mirror. */
function objectBytes(folder: string): number {
  const objects = join(folder, 'objects')
  if (!existsSync(objects)) return 0
  const paths = readdirSync(objects, { recursive: true, encoding: 'utf8' }).map(name => join(objects, name))
  const stats = paths.map(path => statSync(path, { throwIfNoEntry: false }))
  return stats.reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0)
}

function oversizeOf(folder: string, url: string, maxBytes: number): GitProblem | undefined {
  if (objectBytes(folder) <= maxBytes) return undefined
  const message = `cannot fetch ${url}: it has more than ${maxBytes} bytes; make it smaller, or raise --max-git`
  return { code: 'git_too_large', message }
}

async function headOf(mirror: GitRunner): Promise<string | undefined> {
  const head = await runGit(mirror, ['rev-parse', '--verify', '--quiet', FETCHED])
  return head.ok ? head.value.trim() : undefined
}

async function readCommit(mirror: GitRunner, url: string): Promise<GitResult<Commit>> {
  const format = '--format=%H%x00%an%x00%s'
  const log = await runGit(mirror, ['log', '-1', '--no-show-signature', '--encoding=UTF-8', format, FETCHED, '--'])
  if (!log.ok) return failed(mirrorProblem(url, log.problem))
  const [hash = '', author = '', subject = ''] = log.value.trimEnd().split('\0').map(plainLine)
  return /^[0-9a-f]{40,64}$/.test(hash) ? ok({ hash, author, subject }) : failed(damagedMirror(url))
}

/** The addresses of the authors of the commits since another one, as far as the mirror has them. */
export async function authorsSince(mirror: GitRunner, last: string | undefined): Promise<string[]> {
  const since = last === undefined ? ['-1'] : [`^${last}`]
  return [...new Set(await logged(mirror, AUTHORS, since))]
}

/**
 * git-log(1): the address of the author of each commit, and that in its trailer, on separate lines. A commit that the mirror
 * does not have limits nothing.
 */
const AUTHORS =
  'log --max-count=1000 --ignore-missing --no-show-signature --encoding=UTF-8 --format=%ae%n%(trailers:key=Saved-By,valueonly)'

/** The last commits since another one, at most two: the hash of a save in the browser, undefined for another commit. */
export async function savesSince(mirror: GitRunner, last: string): Promise<(string | undefined)[]> {
  return (await logged(mirror, SAVES, [`^${last}`])).map(line => groupsOf(/^(\w+) \S/, line)[1])
}

/** The lines of git-log(1); none if it fails. */
async function logged(mirror: GitRunner, command: string, since: readonly string[]): Promise<string[]> {
  const log = await runGit(mirror, [...command.split(' '), FETCHED, ...since, '--'])
  return log.ok ? log.value.split('\n').filter(Boolean) : []
}

const SAVES = 'log --max-count=2 --no-show-signature --format=%H%x20%(trailers:key=Save-Id,valueonly,separator=%x2C)'

/** One line without control characters, and not endless. */
function plainLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE)
}

const MAX_LINE = 300
