import type { Finding } from '#brand/finding.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok } from '#platform/base/result.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import { sourceName } from '../../feeders.ts'
import { type GitHost, withGitAccess } from '../program/git-access.ts'
import { explainFailure, type GitResult } from '../program/git-problem.ts'
import { type GitLimits, type GitRunner, runGit, StoppedGit } from '../program/run-git.ts'
import { FETCHED, fetchCommit, mirrorProblem } from '../repository/mirror.ts'
import { remoteRef } from '../repository/remote.ts'
import type { Journal } from './journal.ts'
import type { MergeTexts } from './merge-files.ts'

/** A clone of one followed branch, into which changes of people are committed. Only one step at a time may change it. */
export type EditClone = {
  source: GitSource
  /** A folder of this process, which has the clone. */
  home: string
  /** Reads with the credentials for following. */
  host: GitHost
  /** Pushes, with credentials that are used for nothing else. */
  pusher: GitHost
  committer: { name: string; email: string }
  maxGit: number
  /** The number of last commits to fetch; without it, those since the last fetch. */
  depth?: number
  signal: AbortSignal
  /** The time that the host may take to answer; 20 seconds if absent. */
  hostMs?: number
  now: () => Date
  merge: MergeTexts
  /** The commit at the head, as the service has seen it last; it asks the host each minute. */
  followed: (source: GitSource) => Promise<string | undefined>
  last?: Head
  /** Finds the errors that commits add; absent: they are not checked. */
  check?: {
    /** Checks the head in advance, while somebody writes. */
    warm: (head: Head) => void
    added: (head: Head, commit: Head) => Promise<GitResult<readonly Finding[]>>
  }
  /** Keeps the audit lines of saves while they are pushed; absent: they are lost if the process is killed. */
  journal?: Journal
}

/** The head of the branch as the host had it at a time, and the git program in the clone that has it. */
export type Head = { branch: string; hash: string; clone: GitRunner; at: Date }

/** Runs stoppable work with the head of the branch, as the host has it now. */
export async function withHead<Value>(edited: EditClone, work: (head: Head) => Promise<Value>) {
  const { source, home, host, maxGit, depth, hostMs = HOST_MS, signal, now } = edited
  const fetchAndWork = async (anyRunner: GitRunner) => {
    const runner = { ...patient(anyRunner, hostMs), maxMs: hostMs }
    const remote = orStop(await remoteRef(runner, source, host))
    const { branch } = remote
    if (branch === undefined) throw new StoppedGit({ code: 'git_no_branch', message: noBranch(source) })
    const options = {
      home,
      url: source.url,
      maxBytes: maxGit,
      credentials: host,
      maxMs: hostMs,
      ...withoutUndefined({ depth }),
    }
    const { commit, mirror } = orStop(await fetchCommit(runner, remote, options))
    const head = { branch, hash: commit.hash, clone: mirror, at: now() }
    edited.last = head
    return work(head)
  }
  return withGitAccess(host, source, { home, signal }, runner => stoppable(() => fetchAndWork(runner)))
}

function noBranch(source: GitSource): string {
  return `cannot edit ${sourceName(source)}: it is not a branch; follow a branch, or serve without --edit`
}

/** The result of steps, the first of which that fails throws its problem as a `StoppedGit`. */
export async function stoppable<Value>(work: () => Promise<Value>): Promise<GitResult<Value>> {
  try {
    return ok(await work())
  } catch (error) {
    if (error instanceof StoppedGit) return failed(error.problem)
    throw error
  }
}

/** The value of a step; throws its problem as a `StoppedGit`. */
export function orStop<Value>(result: GitResult<Value>): Value {
  if (!result.ok) throw new StoppedGit(result.problem)
  return result.value
}

/** A step that reads or writes objects of the clone. Returns its output without line ends after it. */
export async function inClone({ source }: EditClone, clone: GitRunner, args: readonly string[], limits?: GitLimits) {
  const result = await runGit(clone, args, limits)
  return orStop(result.ok ? result : failed(mirrorProblem(source.url, result.problem))).trimEnd()
}

/**
 * A step that pushes a commit, never by force (decisions/0690). In a dry run, the host only says whether it would
 * accept it.
 */
export async function pushCommit(edited: EditClone, { branch, clone, hash }: Head, ...options: '--dry-run'[]) {
  const { source, home, pusher, hostMs = HOST_MS, signal, now } = edited
  // The size of what the host lacks, which takes time to push.
  const bytes = await inClone(edited, clone, ['rev-list', '--objects', '--disk-usage', hash, `^${FETCHED}`])
  const pushed = await withGitAccess(pusher, source, { home, signal }, async anyRunner => {
    const runner = patient(anyRunner, hostMs)
    const environment = { ...runner.environment, GIT_DIR: clone.folder }
    const args = [...PUSH.split(' '), ...options, '--', source.url, `${hash}:refs/heads/${branch}`]
    const maxMs = hostMs + Number(bytes) / MIN_BYTES_PER_MS
    const result = await runGit({ ...runner, folder: clone.folder, environment }, args, { maxMs })
    if (result.ok) return result
    return failed(explainFailure(`push to ${source.url}`, source.url, result.problem, pusher, REFUSED))
  })
  orStop(pushed)
  await inClone(edited, clone, ['update-ref', FETCHED, hash]) // It need not be fetched.
  edited.last = { branch, hash, clone, at: now() }
}

/** git-push(1). Hooks of the clone and submodules have no part in it. */
const PUSH = 'push --quiet --no-verify --no-follow-tags --recurse-submodules=no'

/** The time that a host may take to answer, for people who wait. */
const HOST_MS = 20_000
/** A slower upload fails. */
const MIN_BYTES_PER_MS = 250

/** A runner whose git gives up a connection that is silent for this time. */
function patient(runner: GitRunner, hostMs: number): GitRunner {
  return { ...runner, environment: { ...runner.environment, GIT_HTTP_LOW_SPEED_TIME: `${Math.ceil(hostMs / 1000)}` } }
}

const REFUSED = {
  code: 'git_push_refused',
  advice: 'the host refuses the change; let the account of the service push to this branch, or follow another one',
} as const
