import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dayOf } from '#brand/file.ts'
import type { AbsentFile, Finding } from '#brand/finding.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget, type ReadCache, type ReadOptions } from '#intake/reading.ts'
import { attempt, type Result } from '#platform/base/result.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { GitRunner } from '../program/run-git.ts'
import { checkOut, ownWorkspace, TREE_LIMITS, workspaceOf } from '../pull/import-tree.ts'
import { findTree } from '../pull/pull.ts'
import { listTree, type TreeEntry } from '../repository/tree.ts'
import { orStop } from './clone.ts'

/** An error of a brand folder, and the text of its line, by which it is the same error on another line. */
export type CheckedError = { error: Finding; text: string | undefined }

/** The errors of a commit, or why they are unknown. */
export type Checked = Result<readonly CheckedError[], string>

export type CheckTask = {
  source: GitSource
  maxGit: number
  commit: string
  mirror: Pick<GitRunner, 'environment' | 'folder'>
}

type CheckOptions = Pick<ReadOptions, 'media' | 'caps' | 'signal'> & Pick<GitRunner, 'kill'>

/**
 * Reads commits as an import would, and finds their errors. Keeps the files of the last commit in a private folder, so
 * that only what differs is written and read.
 */
export function openTreeCheck(home: string, options: CheckOptions) {
  const readCache = memoryCache()
  let last: { place: string; entries: ReadonlyMap<string, TreeEntry>; pointers: ReadonlySet<string> } | undefined
  /** @throws {StoppedGit} if the commit cannot be read */
  return async ({ source, maxGit, commit, mirror: { environment, folder } }: CheckTask): Promise<CheckedError[]> => {
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
    const changed = [...entries].flatMap(([path, entry]) => (isSame(path) ? [] : [entry]))
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
  const errors = findings.filter(({ severity }) => severity === 'error')
  return errors.map(error => {
    const lines =
      error.line === null ? undefined : attempt(() => readFileSync(join(place, error.path), 'utf8').split('\n'))
    return { error, text: lines?.[(error.line ?? 0) - 1]?.trim() }
  })
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

/** The errors that a commit has and the one before it has not, also on another line. */
export function newErrors(before: readonly CheckedError[], after: readonly CheckedError[]): Finding[] {
  const keysOf = ({ error: { rule, project, path, message }, text }: CheckedError) =>
    [message, text].map((by, at) => JSON.stringify([rule, project, path, at, by]))
  const known = new Set(before.flatMap(keysOf))
  return after.filter(each => !keysOf(each).some(key => known.has(key))).map(({ error }) => error)
}
