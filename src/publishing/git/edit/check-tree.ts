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
  const known = new Map<string, readonly CheckedError[]>()
  const errorsOf = async (commit: string, task: CheckTask) => {
    const errors = known.get(commit) ?? (await readErrors(commit, task))
    known.delete(commit)
    known.set(commit, errors)
    for (const old of [...known.keys()].slice(0, -MAX_KNOWN)) known.delete(old)
    return errors
  }
  /** @throws {StoppedGit} if a commit cannot be read */
  return async (task: CheckTask): Promise<Finding[]> => {
    const before = await errorsOf(task.head, task)
    const after = await errorsOf(task.commit, task)
    const keys = new Set(before.flatMap(each => each.keys))
    const added = after.filter(each => !each.keys.some(key => keys.has(key)))
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
  let last: { place: string; entries: ReadonlyMap<string, TreeEntry>; pointers: ReadonlySet<string> } | undefined
  return async (commit: string, { source, maxGit, mirror: { environment, folder } }: CheckTask) => {
    const { kill, signal } = options
    const mirror = { environment, folder, kill, signal }
    const tree = orStop(await findTree(mirror, { hash: commit }, source))
    const listed = orStop(await listTree(mirror, { url: source.url, tree }, { ...TREE_LIMITS, bytes: maxGit }))
    const place = join(home, orStop(await workspaceOf({ mirror, source }, listed)))
    if (last?.place !== place) rmSync(home, { recursive: true, force: true })
    const before = last?.place === place ? last : { entries: new Map<string, TreeEntry>(), pointers: new Set<string>() }
    last = undefined // Until everything is written.
    const entries = new Map(listed.entries.map(entry => [entry.path.toString(), entry]))
    const isSame = (path: string) => entries.get(path)?.hash === before.entries.get(path)?.hash
    const changed = [...entries].filter(([path]) => !isSame(path)).map(([, entry]) => entry)
    const gone = before.entries.keys().filter(path => !isSame(path))
    removeFiles(place, [...gone])
    const added = join(home, 'added')
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const found = new Set(orStop(await checkOut(mirror, source.url, added, changed)).map(({ path }) => path))
    const pointers = new Set([...[...before.pointers].filter(isSame), ...found])
    for (const path of changed.map(entry => entry.path.toString())) {
      mkdirSync(dirname(join(place, path)), { recursive: true, mode: 0o700 })
      if (!found.has(path)) renameSync(join(added, path), join(place, path))
    }
    mkdirSync(place, { recursive: true })
    rmSync(added, { recursive: true })
    last = { place, entries, pointers }
    return errorsIn(place, source, { ...options, readCache, absent: Array.from(pointers, absentPointer) })
  }
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

/** Keys by the message of an error, and by its line as it is written. */
function keysOf({ rule, project, path, line, message }: Finding, lines: readonly string[]): string[] {
  const text = lines[(line ?? 0) - 1]?.trim()
  return [message, text].map((by, at) => hash('sha256', JSON.stringify([rule, project, path, at, by])))
}

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
