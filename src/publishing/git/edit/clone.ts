import { join } from 'node:path'
import { failed, ok } from '#platform/base/result.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { GitCredentials } from '../program/credentials.ts'
import { type GitHost, withGitAccess } from '../program/git-access.ts'
import { type Commit, explainFailure, type GitResult, sourceName } from '../program/git-problem.ts'
import { type GitLimits, type GitRunner, runGit } from '../program/run-git.ts'
import { fetchCommit, mirrorProblem } from '../repository/mirror.ts'
import { remoteRef } from '../repository/remote.ts'

/** A clone of one followed branch, into which changes of people are committed. Only one step uses it at a time. */
export type EditClone = {
  source: GitSource
  /** A folder of this process. */
  home: string
  /** Reads with the credentials for following. */
  host: GitHost
  /** The credentials for pushing, which are used for nothing else. */
  push: GitCredentials
  maxGit: number
  signal: AbortSignal
}

/** The head of the branch, and the git program in the clone that has it. */
export type Head = { branch: string; commit: Commit; clone: GitRunner }

/** Runs work with the head of the branch, as the host has it now. */
export async function withHead<Value>(
  edited: EditClone,
  work: (head: Head) => Promise<GitResult<Value>>,
): Promise<GitResult<Value>> {
  const { source, home, host, maxGit, signal } = edited
  return withGitAccess(host, source, { home, signal }, async runner => {
    const remote = await remoteRef(runner, source, host)
    if (!remote.ok) return remote
    const { branch } = remote.value
    if (branch === undefined) return failed({ code: 'git_no_branch', message: noBranch(source) })
    const options = { home: join(home, 'clone'), url: source.url, maxBytes: maxGit, credentials: host }
    const fetched = await fetchCommit(runner, remote.value, options)
    return fetched.ok ? work({ branch, commit: fetched.value.commit, clone: fetched.value.mirror }) : fetched
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
  { source, home, host, push, signal }: EditClone,
  { branch, clone }: Head,
  hash: string,
  isDry = false,
): Promise<GitResult<undefined>> {
  const { environment, kill } = host
  const pusher = { environment, kill, ...(host.knownHosts !== undefined && { knownHosts: host.knownHosts }), ...push }
  return withGitAccess<undefined>(pusher, source, { home, signal }, async runner => {
    const pushing = runnerIn(clone, runner)
    const dry = isDry ? ['--dry-run'] : []
    const args = [...PUSH.split(' '), ...dry, '--', source.url, `${hash}:refs/heads/${branch}`]
    const pushed = await runGit(pushing, args, { maxMs: MAX_PUSH_MS })
    if (pushed.ok) return ok(undefined)
    return failed(explainFailure(`push to ${source.url}`, source.url, pushed.problem, push, REFUSED))
  })
}

/** The git program with access to the host, in a clone. */
export function runnerIn({ folder }: GitRunner, runner: GitRunner): GitRunner {
  return { ...runner, folder, environment: { ...runner.environment, GIT_DIR: folder } }
}

/** git-push(1). Hooks of the clone and submodules have no part in it. */
const PUSH = 'push --quiet --no-verify --no-follow-tags --recurse-submodules=no'
const MAX_PUSH_MS = 10 * 60_000
const REFUSED = {
  code: 'git_push_refused',
  advice: 'the host refuses the change; let the account of the service push to this branch, or follow another one',
} as const

/** Runs a step that reads or writes objects of the clone. */
export async function inClone(
  { source: { url } }: Pick<EditClone, 'source'>,
  clone: GitRunner,
  args: readonly string[],
  limits: GitLimits = {},
): Promise<GitResult<string>> {
  const result = await runGit(clone, args, limits)
  return result.ok ? ok(result.value) : failed(mirrorProblem(url, result.problem))
}
