import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileEntry } from '#adopt/sources/folder.ts'
import { type Listing, shownPath } from '#adopt/sources/source.ts'
import type { AbsentFile } from '#brand/finding.ts'
import { isLfsPointer, MAX_POINTER_BYTES } from '#brand/lfs-pointer.ts'
import { forEachOf } from '#platform/base/promise.ts'
import { ok } from '#platform/base/result.ts'
import { parseGitUrl } from '#platform/settings/git-source.ts'
import { gitEnvironment, withGitAccess } from '#publishing/git/program/git-access.ts'
import { runGit } from '#publishing/git/program/run-git.ts'
import { fetchLfsFiles, type Pointer } from '#publishing/git/pull/lfs-files.ts'
import { webPlace } from '#publishing/git/repository/remote.ts'
import { gitHostOf } from '../../../compose/git.ts'
import type { Arguments, Io } from '../../command.ts'
import { loadSettings } from '../../settings.ts'
import { type Target, temporaryFolder } from './new-folder.ts'

/** Replaces the pointers of Git LFS in a source with their files, or leaves them out with the reasons. */
export async function fillPointers(listing: Listing, args: Arguments, io: Io, opened: Target['opened']): Promise<void> {
  const texts = await pointerTexts(listing)
  const entries = listing.entries.filter(({ path }) => texts.has(path))
  const [first] = entries
  if (!first) return
  const home = await temporaryFolder(opened)
  const pointers = entries.map(({ path }, at) => ({ path, place: join(home, `${at}`), text: texts.get(path) ?? '' }))
  const absent = await fetchAll(pointers, dirname(first.place ?? home), home, args, io)
  for (const [at, entry] of entries.entries()) {
    const absentFile = absent.find(({ path }) => path === entry.path)
    const place = join(home, `${at}`)
    if (absentFile) listing.leftOut.push({ path: shownPath(entry), reason: absentFile.message })
    else Object.assign(entry, fileEntry(place, entry.path, entry.label, await stat(place)))
  }
  listing.entries = listing.entries.filter(entry => !absent.some(({ path }) => path === entry.path))
}

/** The texts of the files that are pointers, by path. */
async function pointerTexts({ entries }: Listing): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  const small = entries.filter(({ size }) => size <= MAX_POINTER_BYTES)
  await forEachOf(small, READ_AT_ONCE, async ({ path, read }) => {
    const text = await read(MAX_POINTER_BYTES).then(String, () => '')
    if (isLfsPointer(text)) texts.set(path, text)
  })
  return texts
}

const READ_AT_ONCE = 16

/**
 * Fetches the files of pointers, and returns the files that it could not fetch. Their repository is the origin of the
 * checkout that `folder` is in. Its host gets the token only if the settings name it, because a source may name any host.
 */
async function fetchAll(
  pointers: readonly Pointer[],
  folder: string,
  home: string,
  args: Arguments,
  io: Io,
): Promise<AbsentFile[]> {
  const settings = await loadSettings(args, io)
  const { token, ...host } = gitHostOf(settings, io.environment, io.kill)
  const environment = gitEnvironment(io.environment, '', home, {})
  const runner = { environment, folder, kill: io.kill, signal: io.signal }
  const origin = await runGit(runner, ['config', '--get', 'remote.origin.url'])
  const url = (origin.ok ? parseGitUrl(origin.value.trim()) : undefined) ?? settings.git[0]?.url
  const allAbsent = (why: string) =>
    pointers.map(({ path }) => ({ path, rule: 'git-lfs', message: `is in Git LFS but missing: ${why}` }) as const)
  if (url === undefined) return allAbsent('its repository is unknown; name it with --git')
  const isNamed = settings.git.some(source => webPlace(source.url).host === webPlace(url).host)
  const access = isNamed && token !== undefined ? { ...host, token } : host
  const source = { url, publish: 'manual' } as const
  const done = await withGitAccess(access, source, { home, signal: io.signal }, async mirror =>
    ok(await fetchLfsFiles({ source, mirror, host: access, store: NO_STORE }, '', pointers, settings.maxGit)),
  )
  return done.ok ? done.value : allAbsent(done.problem.message)
}

const NO_STORE = { files: { list: () => new Set<string>(), open: async () => undefined } }
