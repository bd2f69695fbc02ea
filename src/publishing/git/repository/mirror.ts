import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, ok } from '#platform/base/result.ts'
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
  /** The number of last commits to fetch. */
  depth?: number
  /** The time for a fetch into a mirror that has an earlier commit. One that takes longer begins with an empty mirror. */
  maxMs?: number
}

type Fetched = GitResult<{ commit: Commit; mirror: GitRunner }>

/**
 * Fetches one commit into a bare mirror without history, under the lock of the source. A mirror that reaches the limit
 * with the files of earlier commits is made again, because only the files of this commit count.
 */
export async function fetchCommit(runner: GitRunner, remote: RemoteRef, options: MirrorOptions): Promise<Fetched> {
  const { home } = options
  const kept = findMirror(home, remote)
  const fetched = kept === undefined ? undefined : await fetchInto(kept, runner, remote, options)
  if (fetched && (fetched.ok || fetched.problem.code !== 'git_too_large')) return fetched
  return fetchInto(await makeMirror(runner, home, remote), runner, remote, { ...options, maxMs: MAX_FETCH_MS })
}

async function fetchInto(
  folder: string,
  runner: GitRunner,
  remote: RemoteRef,
  { home, url, maxBytes, credentials, depth = 1, maxMs = MAX_FETCH_MS }: MirrorOptions,
): Promise<Fetched> {
  await removeOthers(home, folder)
  const mirror = { ...runner, folder, environment: { ...runner.environment, GIT_DIR: folder } }
  const oversize = () => oversizeOf(folder, url, maxBytes)
  if (depth > 1 || (await headOf(mirror)) !== remote.hash) {
    const args = [...FETCH.split(' '), `--depth=${depth}`, '--', url, `+${remote.name}:${FETCHED}`]
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
const FIRST_SIZE = 'housestyle-first-size'

function findMirror(home: string, { hash }: RemoteRef): string | undefined {
  const folders = readdirSync(home).filter(name => name.startsWith(`${hash.length}-`))
  return folders.map(name => join(home, name)).find(isUsable)
}

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

/** One line without control characters, and not endless. */
function plainLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE)
}

const MAX_LINE = 300
