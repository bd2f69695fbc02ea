import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, ok, type Result } from '../base/result.ts'
import { explainFailure } from './failure-message.ts'
import type { Commit, GitProblem } from './git-problem.ts'
import type { RemoteRef } from './remote-ref.ts'
import { type GitRunner, runGit } from './run-git.ts'

/** A repository to fetch from, and the folder for its bare mirror. */
export type MirrorOptions = { folder: string; url: string; maxBytes: number; secrets: readonly string[] }

/**
 * Fetches one commit into a bare mirror, which has no history. Requires the lock of the source. A mirror that an
 * interrupted fetch has damaged is made again, and so is one that has doubled, since it keeps the files of earlier
 * commits. Returns the commit, and a runner for commands in the mirror.
 */
export async function fetchCommit(
  runner: GitRunner,
  remote: RemoteRef,
  options: MirrorOptions,
): Promise<Result<{ commit: Commit; mirror: GitRunner }, GitProblem>> {
  const { folder, url, secrets } = options
  const mirror = { ...runner, folder, environment: { ...runner.environment, GIT_DIR: folder } }
  await prepareMirror(runner, mirror, remote)
  const limits = { maxMs: MAX_FETCH_MS, watch: () => oversizeOf(options) }
  if ((await headOf(mirror)) !== remote.hash) {
    await writeFile(join(folder, UNFINISHED), '')
    const fetched = await runGit(mirror, [...FETCH, '--', url, `+${remote.name}:${HEAD}`], limits)
    if (!fetched.ok) return failed(explainFailure(`fetch ${url}`, url, fetched.problem, secrets))
  }
  const oversize = oversizeOf(options)
  const commit = oversize ? undefined : await readCommit(mirror)
  if (!commit) {
    await rm(folder, { recursive: true, force: true })
    return failed(oversize ?? damagedMirror(url))
  }
  if (!existsSync(join(folder, FIRST_SIZE))) await writeFile(join(folder, FIRST_SIZE), `${packedBytes(folder)}`)
  await rm(join(folder, UNFINISHED), { force: true })
  return ok({ commit, mirror })
}

/** The problem of a mirror that cannot be read. */
export function damagedMirror(url: string): GitProblem {
  const fix = 'it is fetched again at the next attempt'
  return { code: 'git_damaged', message: `cannot read the local copy of ${url}: it is damaged; ${fix}` }
}

/** git-fetch(1). Only the named ref is fetched. */
const FETCH = [
  'fetch',
  '--quiet',
  '--depth=1',
  '--no-tags',
  '--force',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
]

/** The ref of the mirror that keeps the fetched commit. */
const HEAD = 'refs/housestyle/head'
const MAX_FETCH_MS = 30 * 60_000

/** Exists while a fetch runs, and after one that was interrupted or failed. */
const UNFINISHED = 'housestyle-unfinished'
/** Has the number of bytes after the first fetch. */
const FIRST_SIZE = 'housestyle-first-size'

async function prepareMirror(runner: GitRunner, mirror: GitRunner, remote: RemoteRef): Promise<void> {
  const { folder } = mirror
  if (existsSync(join(folder, UNFINISHED))) {
    for (const left of globSync(LEFTOVERS, { cwd: folder })) await rm(join(folder, left), { force: true })
    if (await isWhole(mirror)) return
  } else if (existsSync(join(folder, FIRST_SIZE)) && !hasDoubled(folder)) return
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const format = remote.hash.length === SHA256_DIGITS ? 'sha256' : 'sha1'
  const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--initial-branch=main', '.']
  const made = await runGit({ ...runner, folder }, init)
  if (!made.ok) throw new Error(explainFailure(`make ${folder}`, '', made.problem).message)
}

/** The files of a fetch that was killed. git refuses to work while its locks exist. */
const LEFTOVERS = ['*.lock', 'refs/housestyle/*.lock', 'objects/pack/tmp_*']
const SHA256_DIGITS = 64

/** Whether the mirror has every object of its commit. */
async function isWhole(mirror: GitRunner): Promise<boolean> {
  if (!existsSync(join(mirror.folder, FIRST_SIZE))) return false
  return (await runGit(mirror, ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'])).ok
}

function hasDoubled(folder: string): boolean {
  const first = Number(readFileSync(join(folder, FIRST_SIZE), 'utf8'))
  return !(packedBytes(folder) < 2 * first + SPARE_BYTES)
}

/** Small mirrors may grow more before they are made again. */
const SPARE_BYTES = 64 << 20

/** The size of everything that was fetched, which is only in packs. */
function packedBytes(folder: string): number {
  const packs = join(folder, 'objects/pack')
  if (!existsSync(packs)) return 0
  const sizes = readdirSync(packs).map(name => statSync(join(packs, name), { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((sum, size) => sum + size, 0)
}

function oversizeOf({ folder, url, maxBytes }: MirrorOptions): GitProblem | undefined {
  if (packedBytes(folder) <= maxBytes) return undefined
  const message = `cannot fetch ${url}: it has more than ${maxBytes} bytes; make it smaller, or raise --max-git`
  return { code: 'git_too_large', message }
}

/** The fetched commit, or the tag that names it; undefined if there is none. */
async function headOf(mirror: GitRunner): Promise<string | undefined> {
  const found = await runGit(mirror, ['rev-parse', '--verify', '--quiet', HEAD])
  return found.ok ? found.value.trim() : undefined
}

async function readCommit(mirror: GitRunner): Promise<Commit | undefined> {
  const format = '--format=%H%x00%an%x00%s'
  const shown = await runGit(mirror, ['log', '-1', '--no-show-signature', '--encoding=UTF-8', format, HEAD, '--'])
  if (!shown.ok) return undefined
  const [hash = '', author = '', subject = ''] = shown.value.trimEnd().split('\0').map(plainLine)
  return /^[0-9a-f]{40,64}$/.test(hash) ? { hash, author, subject } : undefined
}

/** One line without control characters, and not endless. */
function plainLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE)
}

const MAX_LINE = 300
