import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TextEditor } from '#people/editor/edit/text-editor.ts'
import { errorMessage } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import type { Request } from '#platform/exchange/message.ts'
import { basePath, withoutBase } from '#platform/exchange/target.ts'
import { trustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { openAudit } from '#platform/telemetry/access-event.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { openOutageLog } from '#platform/telemetry/outage-log.ts'
import { sourceId, sourceName } from '#publishing/feeders.ts'
import type { EditedSource } from '#publishing/git/edit/edits.ts'
import type { MergeTexts } from '#publishing/git/edit/merge-files.ts'
import type { Follower } from '#publishing/git/follow/follow.ts'
import { HOOK_PATH, hookDigest } from '#publishing/git/follow/hook.ts'
import type { GitHost } from '#publishing/git/program/git-access.ts'
import type { GitRunner } from '#publishing/git/program/run-git.ts'
import { readSource, type SourceState, sourceLabel } from '#publishing/git/pull/source-state.ts'
import type { Store } from '#store/store.ts'
import { makeTemporaryFolder } from '#store/temporary-folder.ts'

export type GitSettings = Pick<Settings, 'gitToken' | 'gitSshKey' | 'gitKnownHosts' | 'outgoingAllow' | 'publicUrl'>

/** The machine that runs git, with the credentials of the settings. */
export function gitHostOf(
  { gitToken, gitSshKey, gitKnownHosts, outgoingAllow, publicUrl = 'http://localhost' }: GitSettings,
  environment: GitHost['environment'],
  kill: GitRunner['kill'],
): GitHost {
  const targets = { allow: outgoingAllow, publicUrl }
  return withoutUndefined({ environment, kill, targets, token: gitToken, sshKey: gitSshKey, knownHosts: gitKnownHosts })
}

/** Runs work with the folder for mirrors: a temporary one if a node keeps nothing in its data folder. */
export async function withMirrors<Value>(
  { data, database, files }: Pick<Settings, 'data' | 'database' | 'files'>,
  work: (mirrors: string) => Promise<Value>,
): Promise<Value> {
  if (database === undefined || files === undefined) return work(join(data, 'git'))
  await using folder = await makeTemporaryFolder()
  return await work(folder.path)
}

export type GitService = {
  /** The branches that people may change in the browser; absent without `--edit`. */
  edits?: readonly EditedSource[] | undefined
  follower: Pick<Follower, 'request' | 'states'>
  hookSecret: string | undefined
}

/** Makes the digests of the bodies of webhooks; undefined if no repository is followed. */
export function hookDigests({ publicUrl = '' }: Pick<Settings, 'publicUrl'>, git: GitService | undefined) {
  const base = publicUrl && basePath(publicUrl)
  return (
    git &&
    (({ path, headers }: Request) =>
      withoutBase(path, base) === HOOK_PATH ? hookDigest(git.hookSecret, headers) : undefined)
  )
}

/** Asks for a check of the followed repositories; undefined if none of them is published once its drafts are approved. */
export function checkApproved({ git: sources }: Pick<Settings, 'git'>, git: GitService | undefined) {
  return sources.some(({ publish }) => publish === 'approved') ? git?.follower.request : undefined
}

type FollowSource = {
  settings: Settings
  store: Store
  log: Log
  environment: GitHost['environment']
  kill: GitRunner['kill']
  take?: readonly string[] | undefined
  texts: Pick<TextEditor, 'run'>
}

/**
 * Follows the repositories of the settings until it is stopped; undefined if there are none. The work of `withMirrors`
 * lasts as long, because that removes its folder at the end.
 */
export async function followGit(source: FollowSource) {
  const { settings, environment, kill } = source
  if (settings.git.length === 0) return undefined
  const host = gitHostOf(settings, environment, kill)
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const started = Promise.withResolvers<{ follower: Follower; edits: GitService['edits'] }>()
  const ended = withMirrors(settings, async mirrors => {
    const place = { ...source, host, mirrors }
    await using edits = settings.edit ? await openEditsOf(place) : undefined
    const sources = edits?.sources
    const follower = await startFollower(place, sources)
    started.resolve({ follower, edits: sources })
    await stopped
    await follower.stop()
  })
  ended.catch(started.reject)
  const { follower, edits } = await started.promise
  const { request, states, first } = follower
  return {
    service: { follower: { request, states }, hookSecret: settings.gitHookSecret, edits },
    first,
    stop: async () => {
      stop()
      await ended
    },
  }
}

type FollowPlace = FollowSource & { mirrors: string; host: GitHost }

/** Pulls the repositories in child processes, and shows each new state to the edits of its branch. */
async function startFollower(
  { settings, store, log, take = [], host, mirrors }: FollowPlace,
  edits: GitService['edits'] = [],
): Promise<Follower> {
  const { followSources } = await import('#publishing/git/follow/follow.ts')
  const { pullInProcess } = await import('#publishing/git/pull/pull-in-process.ts')
  const { git: sources, data, database, files, maxGit, maxFile, maxItems } = settings
  const { environment: _, kill: __, ...secrets } = host
  const place = withoutUndefined({ data, database, files })
  const task = { place, host: secrets, mirrors, maxGit, caps: { maxFile, maxItems } }
  return followSources({
    sources,
    store,
    host,
    mirrors,
    maxGit,
    take,
    pull: async (source, take, signal) => {
      await pullInProcess({ ...task, source, take }, signal)
      edits.find(edited => edited.source === source)?.refresh()
    },
    log,
    audit: openAudit(log),
    postStatus: state => postStatus(settings.gitToken, state, log),
    reporter: outageReporter(log),
    wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
    random: Math.random,
  })
}

/** Opens the clones into which the service commits, and warns of those to which it may not push. */
async function openEditsOf(place: FollowPlace) {
  const { settings, log, mirrors } = place
  await mkdir(mirrors, { recursive: true, mode: 0o700 })
  const folder = await makeTemporaryFolder(mirrors)
  const stopping = new AbortController()
  const open = await editsOpener(place, folder.path, stopping.signal)
  const sources = settings.git.map(open)
  const checks = sources.map(edited => checkStart(edited, log))
  return {
    sources,
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await Promise.allSettled(checks)
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Returns a function that opens the edits of a repository, with their clones in this folder. */
async function editsOpener(
  { settings, store, mirrors, host, log, texts }: FollowPlace,
  folder: string,
  signal: AbortSignal,
) {
  const { openEdits } = await import('#publishing/git/edit/edits.ts')
  const { openCheck } = await import('#publishing/git/edit/check.ts')
  const { openJournal } = await import('#publishing/git/edit/journal.ts')
  const { maxGit, maxFile, maxItems, publicUrl = 'http://localhost' } = settings
  const options = {
    host,
    pusher: pusherOf(settings, host),
    committer: { name: 'housestyle', email: `housestyle@${new URL(publicUrl).hostname}` },
    maxGit,
    signal,
    now: store.clock.date,
    merge: mergerOf(texts),
    followed: async (source: GitSource) => {
      const { commit, failure } = (await readSource(store.database, source)).state
      return (failure?.commit ?? commit)?.hash
    },
  }
  return (source: GitSource, at: number): EditedSource => {
    const unchecked = (problem: string) => log.warn({ source: sourceName(source), problem }, UNCHECKED)
    const caps = { maxFile, maxItems }
    const check = openCheck({ source, home: join(folder, `${at}-checked`), maxGit, caps, signal, unchecked })
    const journal = openJournal(join(mirrors, `${sourceId(source)}-saves`))
    return openEdits({ ...options, source, check, journal, home: join(folder, `${at}`) })
  }
}

/** The machine that runs git, with the credentials that may push. */
function pusherOf(
  { gitPushToken: token, gitPushSshKey: sshKey }: Settings,
  { environment, kill, knownHosts }: GitHost,
) {
  return withoutUndefined({ environment, kill, knownHosts, token, sshKey, isForPush: true as const })
}

/** Records what an earlier process could not, and warns if the service may not push. */
async function checkStart({ source, recover, tryPush }: EditedSource, log: Log): Promise<void> {
  await recover(openAudit(log))
  const tried = await tryPush()
  if (!tried.ok) log.warn({ source: sourceName(source) }, `people cannot save their edits: ${tried.problem.message}`)
}

const UNCHECKED = 'the followed branch cannot be checked: for ten minutes, edits are pushed without a check'

/** Merges texts in a child process. Changes that it cannot merge in its time, and large files, exclude each other. */
export function mergerOf({ run }: Pick<TextEditor, 'run'>): MergeTexts {
  return async texts => {
    const isLarge = Object.values(texts).some(({ length }) => length > MAX_MERGED_BYTES)
    return isLarge ? undefined : (await run('merge', texts))?.merged
  }
}

/** Larger pages and lists are not imported. */
const MAX_MERGED_BYTES = 1 << 20

/** Shows a result at its commit, with a token; a host that refuses it only causes a warning. */
export async function postStatus(
  token: string | undefined,
  state: SourceState,
  { warn }: Pick<Log, 'warn'>,
): Promise<void> {
  if (token === undefined) return
  const { postCommitStatus } = await import('#publishing/git/pull/commit-status.ts')
  const refused = await postCommitStatus(trustedFetch(), state, token).catch(errorMessage)
  if (refused !== undefined) warn({ source: sourceLabel(state) }, `no commit status can be shown: ${refused}`)
}

/** Logs once if the store or the disk prevents a check. */
function outageReporter(log: Log) {
  const began = (error: unknown) => log.error({ err: error }, 'the followed repositories cannot be checked')
  const ended = () => log.info({}, 'the followed repositories can be checked again')
  return openOutageLog(began, ended, () => performance.now()).reporter()
}
