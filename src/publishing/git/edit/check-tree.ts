import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dayOf } from '#brand/file.ts'
import type { AbsentFile, Finding } from '#brand/finding.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget, type ReadCache, type ReadOptions } from '#intake/reading.ts'
import { attempt, type Result } from '#platform/base/result.ts'
import { memoize } from '#platform/base/text.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { GitRunner } from '../program/run-git.ts'
import { checkOut, ownWorkspace, TREE_LIMITS, workspaceOf } from '../pull/import-tree.ts'
import { findTree } from '../pull/pull.ts'
import { listTree, type TreeEntry } from '../repository/tree.ts'
import { orStop } from './clone.ts'

export type CheckTask = {
  source: GitSource
  maxGit: number
  /** The commits that are compared, by their hashes. */
  head: string
  commit: string
  mirror: Pick<GitRunner, 'environment' | 'folder'>
}

/** The first errors that a commit has and its head has not, also on another line; or why they are unknown. */
export type Checked = Result<readonly Finding[], string>

type CheckOptions = Pick<ReadOptions, 'media' | 'caps' | 'signal'> & Pick<GitRunner, 'kill'>

/** Compares commits, one pair at a time. The errors of the last ones are kept, because most are the head of the next save. */
export function openTreeCheck(home: string, options: CheckOptions) {
  const readErrors = openTree(home, options)
  /** The errors of the last commits, the least recently used first. */
  const known = new Map<string, readonly CheckedError[]>()
  const errorsOf = async (commit: string, task: CheckTask) => {
    const errors = known.get(commit) ?? (await readErrors(commit, task))
    known.delete(commit)
    known.set(commit, errors)
    for (const leastUsed of [...known.keys()].slice(0, -MAX_KNOWN)) known.delete(leastUsed)
    return errors
  }
  /** @throws {StoppedGit} if a commit cannot be read */
  return async (task: CheckTask): Promise<Finding[]> => {
    const headErrors = await errorsOf(task.head, task)
    const commitErrors = await errorsOf(task.commit, task)
    const headKeys = new Set(headErrors.flatMap(({ keys }) => keys))
    const added = commitErrors.filter(({ keys }) => !keys.some(key => headKeys.has(key)))
    return added.slice(0, MAX_ERRORS).map(({ error }) => error)
  }
}

const MAX_KNOWN = 8
const MAX_ERRORS = 50

/**
 * Reads commits as an import would, and finds their errors. Keeps the files of the last commit in a private folder, so
 * that only what differs is written and read.
 */
function openTree(home: string, options: CheckOptions) {
  const readCache = memoryCache()
  let lastTree: WrittenTree | undefined
  return async (commit: string, { source, maxGit, mirror: { environment, folder } }: CheckTask) => {
    const { kill, signal } = options
    const mirror = { environment, folder, kill, signal }
    const tree = orStop(await findTree(mirror, { hash: commit }, source))
    const listed = orStop(await listTree(mirror, { url: source.url, tree }, { ...TREE_LIMITS, bytes: maxGit }))
    // The brand folder has the name of its workspace, which may also be `added`.
    const place = join(home, 'tree', orStop(await workspaceOf({ mirror, source }, listed)))
    if (lastTree?.place !== place) rmSync(home, { recursive: true, force: true })
    const before = lastTree?.place === place ? lastTree : { place, ...NO_FILES }
    lastTree = undefined // Until everything is written.
    const entries = new Map(listed.entries.map(entry => [entry.path.toString(), entry]))
    lastTree = await writeChanges(before, entries, join(home, 'added'), (target, changed) =>
      checkOut(mirror, source.url, target, changed),
    )
    const absent = Array.from(lastTree.pointers, absentPointer)
    return errorsIn(place, source, { ...options, readCache, absent })
  }
}

/** The files of a commit in a folder, keyed by path. Those of `pointers`, which are in Git LFS, are not in the folder. */
type WrittenTree = { place: string; entries: ReadonlyMap<string, TreeEntry>; pointers: ReadonlySet<string> }

const NO_FILES: Omit<WrittenTree, 'place'> = { entries: new Map(), pointers: new Set() }

/**
 * Turns the files of one commit into those of another: removes files that are gone or have changed, and writes those that
 * are new or have changed.
 *
 * @param staging a new folder, into which `write` writes entries, and from which they are moved
 */
async function writeChanges(
  { place, ...before }: WrittenTree,
  entries: ReadonlyMap<string, TreeEntry>,
  staging: string,
  write: (folder: string, changed: readonly TreeEntry[]) => ReturnType<typeof checkOut>,
): Promise<WrittenTree> {
  const isSame = (path: string) => entries.get(path)?.hash === before.entries.get(path)?.hash
  removeFiles(place, [...before.entries.keys().filter(path => !isSame(path))])
  const changed = [...entries].filter(([path]) => !isSame(path)).map(([, entry]) => entry)
  mkdirSync(dirname(staging), { recursive: true, mode: 0o700 })
  const newPointers = new Set(orStop(await write(staging, changed)).map(({ path }) => path))
  for (const path of changed.map(entry => entry.path.toString())) {
    mkdirSync(dirname(join(place, path)), { recursive: true, mode: 0o700 })
    if (!newPointers.has(path)) renameSync(join(staging, path), join(place, path))
  }
  mkdirSync(place, { recursive: true })
  rmSync(staging, { recursive: true })
  return { place, entries, pointers: new Set([...[...before.pointers].filter(isSame), ...newPointers]) }
}

function absentPointer(path: string): AbsentFile {
  return { path, rule: 'git-lfs', message: 'is in Git LFS' }
}

/** Removes files, and the folders that have none any more, as in git. */
function removeFiles(place: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(join(place, path), { force: true })
  const folders = new Set(paths.flatMap(foldersAbove))
  for (const folder of [...folders].toSorted((a, b) => b.length - a.length))
    attempt(() => rmdirSync(join(place, folder)))
}

type Reading = CheckOptions & { readCache: ReadCache; absent: readonly AbsentFile[] }

async function errorsIn(
  place: string,
  source: GitSource,
  { readCache, absent, ...options }: Reading,
): Promise<CheckedError[]> {
  const workspaceId = ownWorkspace(source)
  const { findings } = await readBrandFolder(place, {
    ...options,
    ...(workspaceId && { workspaceId }),
    absent,
    targetFor: () => ({ ...noTarget, readCache }),
    today: dayOf(new Date()),
    progress: () => undefined,
  })
  const linesOf = memoize((path: string) => attempt(() => readFileSync(join(place, path), 'utf8').split('\n')) ?? [])
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(error => ({ error, keys: keysOf(error, linesOf(error.path)) }))
}

/** An error of a brand folder. It is the same as another one that has one of its keys. */
type CheckedError = { error: Finding; keys: readonly string[] }

/** Two keys: one by the message of an error, and one by the text of its line, which may have moved. */
function keysOf({ rule, project, path, line, message }: Finding, lines: readonly string[]): string[] {
  const lineText = lines[(line ?? 0) - 1]?.trim()
  return [message, lineText].map((text, kind) => hash('sha256', JSON.stringify([rule, project, path, kind, text])))
}

/** Keeps the results of reading files in memory. */
function memoryCache(): ReadCache {
  const readings = new Map<string, { fingerprint: string; reading: string }>()
  return {
    find: (path, fingerprint) => {
      const kept = readings.get(path)
      return kept?.fingerprint === fingerprint ? kept.reading : undefined
    },
    keep: (path, fingerprint, { reading }) => void readings.set(path, { fingerprint, reading }),
  }
}
