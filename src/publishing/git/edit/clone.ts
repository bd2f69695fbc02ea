import { join } from 'node:path'
import { failed, ok } from '#platform/base/result.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { GitCredentials } from '../program/credentials.ts'
import { type GitHost, withGitAccess } from '../program/git-access.ts'
import { explainFailure, type GitResult, sourceName } from '../program/git-problem.ts'
import { type GitLimits, type GitRunner, runGit } from '../program/run-git.ts'
import { FETCHED, fetchCommit, mirrorProblem } from '../repository/mirror.ts'
import { remoteRef } from '../repository/remote.ts'

/** A clone of one followed branch, into which changes of people are committed. Only one step at a time may change it. */
export type EditClone = {
  source: GitSource
  /** A folder of this process. */
  home: string
  /** Reads with the credentials for following. */
  host: GitHost
  /** The credentials for pushing, which are used for nothing else. */
  push: GitCredentials
  committer: { name: string; email: string }
  maxGit: number
  signal: AbortSignal
  now: () => Date
  /** The head of the branch as the host had it last, and when. */
  last?: { head: Head; at: Date }
}

/** The head of the branch, and the git program in the clone that has it. */
export type Head = { branch: string; hash: string; clone: GitRunner }

/** Runs work with the head of the branch, as the host has it now, and with a number of its last commits. */
export async function withHead<Value>(
  edited: EditClone,
  work: (head: Head) => Promise<GitResult<Value>>,
  depth = 1,
): Promise<GitResult<Value>> {
  const { source, home, host, maxGit, signal, now } = edited
  return withGitAccess(host, source, { home, signal }, async runner => {
    const remote = await remoteRef(runner, source, host)
    if (!remote.ok) return remote
    const { branch } = remote.value
    if (branch === undefined) return failed({ code: 'git_no_branch', message: noBranch(source) })
    const options = { home: join(home, 'clone'), url: source.url, maxBytes: maxGit, credentials: host, depth }
    const fetched = await fetchCommit(runner, remote.value, options)
    if (!fetched.ok) return fetched
    const { commit, mirror } = fetched.value
    const head = { branch, hash: commit.hash, clone: mirror }
    edited.last = { head, at: now() }
    return work(head)
  })
}

function noBranch(source: GitSource): string {
  return `cannot edit ${sourceName(source)}: it is not a branch; follow a branch, or serve without --edit`
}

/**
 * Pushes a commit to the branch of a head, never by force. With `isDry`, the host only says whether it would accept a
 * push.
 *
 * @returns with a problem that has the words of the host if it refuses
 */
export async function pushCommit(
  edited: EditClone,
  { branch, clone }: Head,
  hash: string,
  isDry = false,
): Promise<GitResult<undefined>> {
  const { source, home, host, push, signal, now } = edited
  const { token: _, sshKey: __, ...pusher } = host
  const pushed = await withGitAccess<string>({ ...pusher, ...push }, source, { home, signal }, async runner => {
    const pushing = { ...runner, folder: clone.folder, environment: { ...runner.environment, GIT_DIR: clone.folder } }
    const args = [...PUSH.split(' '), ...(isDry ? ['--dry-run'] : []), '--', source.url, `${hash}:refs/heads/${branch}`]
    const result = await runGit(pushing, args, { maxMs: MAX_PUSH_MS })
    if (result.ok) return result
    return failed(explainFailure(`push to ${source.url}`, source.url, result.problem, push, REFUSED))
  })
  if (!pushed.ok) return pushed
  // A fetch of this commit would be needless.
  const kept = isDry ? pushed : await inClone(edited, clone, ['update-ref', FETCHED, hash])
  if (kept.ok) edited.last = { head: { branch, hash, clone }, at: now() }
  return ok(undefined)
}

/** git-push(1). Hooks of the clone and submodules have no part in it. */
const PUSH = 'push --quiet --no-verify --no-follow-tags --recurse-submodules=no'
const MAX_PUSH_MS = 10 * 60_000
const REFUSED = {
  code: 'git_push_refused',
  advice: 'the host refuses the change; let the account of the service push to this branch, or follow another one',
} as const

/** Runs a step that reads or writes objects of the clone. Returns its output without line ends after it. */
export async function inClone(
  { source: { url } }: Pick<EditClone, 'source'>,
  clone: GitRunner,
  args: readonly string[],
  limits: GitLimits = {},
): Promise<GitResult<string>> {
  const result = await runGit(clone, args, limits)
  return result.ok ? ok(result.value.trimEnd()) : failed(mirrorProblem(url, result.problem))
}
