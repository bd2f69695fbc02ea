import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readerVersion } from '#intake/reader-version.ts'
import type { Caps } from '#intake/reading.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import { claimGitCheck } from '#store/catalogue/git-sources.ts'
import type { Lock } from '#store/database/locks.ts'
import type { StorePlace } from '#store/paths.ts'
import { openAddresses } from '../../authors.ts'
import { keepAuthors, sourceId, sourceName, updateSource } from '../../feeders.ts'
import { type GitContext, type GitHost, withGitAccess } from '../program/git-access.ts'
import type { Commit, GitProblem, GitResult } from '../program/git-problem.ts'
import { type GitRunner, runGit } from '../program/run-git.ts'
import { authorsSince, fetchCommit, mirrorProblem, removeMirror, savesSince } from '../repository/mirror.ts'
import { editTemplate, type RemoteRef, remoteRef } from '../repository/remote.ts'
import { SUBMODULE_FIX, submoduleReason } from '../repository/tree.ts'
import { importTree, publishApproved, type TreeImport } from './import-tree.ts'
import { type ImportedCommit, readSource, type SourceState, saveFailure, saveImported } from './source-state.ts'

export type PullTask = {
  place: StorePlace
  source: GitSource
  host: Pick<GitHost, 'token' | 'sshKey' | 'knownHosts' | 'targets'>
  mirrors: string
  maxGit: number
  caps: Caps
  /** The projects that the source may take from another one. */
  take?: readonly string[]
}

export type Pulled = { outcome: 'imported' | 'unchanged' | 'failed' | 'busy'; state: SourceState; before: SourceState }

export type PullOptions = Pick<TreeImport, 'read'> & {
  isForced?: boolean
  /** Called if another process pulls the source; without it, the pull does not wait for that. */
  waiting?: (message: string) => void
}

/**
 * Pulls a source: fetches its commit, imports its brand folder, and publishes the projects without errors. Every
 * problem is saved in the store and leaves the published revisions in place. Only one process pulls a source at a time.
 *
 * @throws errors of the store or the disk
 */
export async function pull(context: GitContext, source: GitSource, options: PullOptions): Promise<Pulled> {
  const { database, clock } = context.store
  await using lock = await lockSource(context, source, options)
  const { state } = await readSource(database, source)
  if (!lock) return { outcome: 'busy', state, before: state }
  await beginCheck(context, source)
  const pulled = await pullLocked(context, source, { ...options, lock })
  if (pulled.ok) {
    const imported = await publishApproved(context.store, source, pulled.value.imported)
    await saveImported(database, source, imported, clock.date())
  } else await saveFailure(database, source, pulled.problem)
  const outcome = pulled.ok ? (pulled.value.isNew ? 'imported' : 'unchanged') : 'failed'
  return { outcome, state: (await readSource(database, source)).state, before: state }
}

/** Records the check, so that other processes do not check the source at the same time. */
async function beginCheck({ store }: GitContext, source: GitSource): Promise<void> {
  const now = store.clock.date()
  await store.database.transaction(async queries => {
    await claimGitCheck(queries, sourceId(source), now, now)
    await updateSource(queries, source)
  })
}

/** The lock of a source; undefined if another process has it and the pull does not wait. */
async function lockSource({ store }: GitContext, source: GitSource, { read, waiting }: PullOptions) {
  const name = `git ${sourceId(source)}`
  let lock = await store.locks.tryAcquire(name, 'exclusive')
  if (!lock && waiting) waiting(`another process pulls ${sourceName(source)}: pull waits for it`)
  while (!lock && waiting) {
    await sleep(RETRY_MS, undefined, { signal: read.signal })
    lock = await store.locks.tryAcquire(name, 'exclusive')
  }
  return lock
}

const RETRY_MS = 200

type LockedOptions = PullOptions & { lock: Lock }
/** The last import; `isNew`: this pull has made it. */
type Done = { imported: ImportedCommit; isNew: boolean }

/** Fetches the commit of a source and imports it, unless the last import is of the same. Publishes it if it is set so. */
async function pullLocked(context: GitContext, source: GitSource, options: LockedOptions): Promise<GitResult<Done>> {
  const { store, host, maxGit, mirrors } = context
  const { read, isForced } = options
  const home = makeHome(mirrors, source)
  const { imported } = await readSource(store.database, source)
  /** The last import, unless this pull must repeat it. */
  const last = isForced || isDue(imported, store.clock.date(), read.take) ? undefined : imported
  return withGitAccess(host, source, { home, signal: read.signal }, async (runner): Promise<GitResult<Done>> => {
    const remote = await remoteRef(runner, source, host)
    if (!remote.ok) return remote
    if (last && isSame(last, remote.value, source)) return ok({ imported: last, isNew: false })
    const place = { ...options, source, home, runner }
    const result = await fetchAndImport(context, place, remote.value, { last, before: imported })
    if (result.ok || !LASTING.has(result.problem.code)) return result
    // A lasting problem is saved with what it depends on, so that it is not tried again.
    return failed({ ...result.problem, refused: refusedContent(remote.value, maxGit) })
  })
}

/** Makes the private folder of a source, and gives its path. */
export function makeHome(mirrors: string, source: GitSource): string {
  const home = join(mirrors, sourceId(source))
  mkdirSync(home, { recursive: true, mode: 0o700 })
  return home
}

/** Fetches a commit and imports it. The problem of a fetched commit names it. */
async function fetchAndImport(
  { store, host, maxGit }: GitContext,
  { source, home, runner, read, lock }: LockedOptions & { source: GitSource; home: string; runner: GitRunner },
  remote: RemoteRef,
  earlier: Earlier,
): Promise<GitResult<Done>> {
  const { before } = earlier
  const fetched = await fetchCommit(runner, remote, {
    home,
    url: source.url,
    maxBytes: maxGit,
    credentials: host,
    history: before ? HISTORY : 1,
  })
  if (!fetched.ok) return fetched
  const { commit, mirror } = fetched.value
  const edit = editTemplate(source.url, remote.branch, source.path)
  const sealedAuthors = await authorsSince(mirror, before?.commit.hash)
  const authors = openAddresses(store.identity.shareSecret, sealedAuthors)
  const task = { store, source, host, home, maxBytes: maxGit, read, lock, commit, authors, mirror, edit }
  const result = await importCommit(task, remote, earlier)
  if (result.ok) return result
  if (result.problem.code === 'git_damaged') await removeMirror(mirror.folder)
  return failed({ ...result.problem, commit })
}

/** The commits that a new mirror gets after an earlier import, to find the authors of the changes since then. */
const HISTORY = 50

/** The problems of a commit itself, which only another commit or another setting can solve. */
const LASTING: ReadonlySet<GitProblem['code']> = new Set([
  'git_too_large',
  'git_unsafe',
  'git_path_missing',
  'workspace_missing',
])

/** Identifies what a lasting problem depends on: the commit, the limit and the readers. */
export function refusedContent({ hash }: RemoteRef, maxGit: number): string {
  return `${hash} ${maxGit} ${readerVersion()}`
}

/** The last import (`before`), and the same as `last` unless it must be repeated. */
type Earlier = { before: ImportedCommit | undefined; last: ImportedCommit | undefined }

/** Imports a fetched commit, unless its brand folder, the settings and the readers are as in the last import. */
async function importCommit(task: TreeImport, remote: RemoteRef, { last, before }: Earlier): Promise<GitResult<Done>> {
  const { mirror, commit, source } = task
  const tree = await findTree(mirror, commit, source)
  if (!tree.ok) return tree
  const state = { commit, remote: remote.hash, content: contentOf(source, tree.value) }
  if (last?.content === state.content) return ok({ imported: { ...last, ...state }, isNew: false })
  const result = await importTree(task, tree.value)
  if (!result.ok) return result
  const { workspace, projects } = result.value
  const filled = projects.filter(({ imported }) => imported).map(({ project }) => ({ workspace, project }))
  await task.store.database.transaction(queries => keepAuthors(queries, source, filled, task.authors))
  const broughtBy = result.value.errors > 0 && before ? await saveWithErrors(mirror, before) : undefined
  return ok({ imported: { ...result.value, ...state, ...withoutUndefined({ broughtBy }) }, isNew: true })
}

/** The save that brought the errors of a commit: the only change since the last commit without any. */
async function saveWithErrors(mirror: GitRunner, before: ImportedCommit): Promise<string | undefined> {
  if (before.errors > 0) return before.broughtBy
  const saves = await savesSince(mirror, before.commit.hash)
  return saves.length === 1 ? saves[0] : undefined
}

/** Whether the last import is of what the remote has now, with the same settings and readers. */
export function isSame({ remote, content }: ImportedCommit, { hash }: RemoteRef, source: GitSource): boolean {
  const [tree = ''] = content.split(' ')
  return remote === hash && content === contentOf(source, tree)
}

/** Whether a commit is imported again: for files in Git LFS that did not arrive, or for projects that it may take now. */
export function isDue(imported: ImportedCommit | undefined, now: Date, take: readonly string[] = []): boolean {
  const { retryAt = Number.POSITIVE_INFINITY, workspace, projects = [] } = imported ?? {}
  const isTaken = projects.some(each => !each.imported && take.includes(`${workspace}/${each.project}`))
  return isTaken || now.getTime() >= retryAt
}

/** Identifies what an import depends on; `tree` is the hash of the brand folder. */
function contentOf({ publish }: GitSource, tree: string): string {
  return `${tree} ${publish} ${readerVersion()}`
}

/** Finds the brand folder of a commit: the hash of its tree. */
export async function findTree(
  mirror: GitRunner,
  { hash: id }: Pick<Commit, 'hash'>,
  source: GitSource,
): Promise<GitResult<string>> {
  const { url, path = '' } = source
  const args =
    path === ''
      ? ['rev-parse', '--verify', `${id}^{tree}`]
      : ['--literal-pathspecs', 'ls-tree', '-d', '-z', '--full-tree', id, path]
  const listing = await runGit(mirror, args)
  if (!listing.ok) return failed(mirrorProblem(url, listing.problem))
  const [, tree] = groupsOf(/^(?:040000 tree )?([0-9a-f]{40,64})\s/, listing.value)
  if (tree !== undefined) return ok(tree)
  const submodule = await submoduleAt(mirror, id, path)
  const fix = submodule === undefined ? 'correct --path' : `${submoduleReason(submodule)}; ${SUBMODULE_FIX}`
  const message = `cannot pull ${url}: the commit ${id.slice(0, SHORT)} has no folder ${path}/; ${fix}`
  return failed({ code: 'git_path_missing', message })
}

/** The path of a submodule at or above a path of a commit; undefined if there is none. */
async function submoduleAt(mirror: GitRunner, commit: string, path: string): Promise<string | undefined> {
  const names = path.split('/')
  for (const at of names.keys()) {
    const folder = names.slice(0, at + 1).join('/')
    const listing = await runGit(mirror, ['--literal-pathspecs', 'ls-tree', '-d', '-z', '--full-tree', commit, folder])
    if (listing.ok && listing.value.startsWith('160000 ')) return folder
    if (!listing.ok || listing.value === '') return undefined
  }
  return undefined
}

const SHORT = 12
