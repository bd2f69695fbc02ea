import { errorMessage } from '#platform/base/error.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { Audit } from '#platform/telemetry/access-event.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { OutageReporter } from '#platform/telemetry/outage-log.ts'
import { claimGitCheck, findGitSource, requestGitCheck } from '#store/catalogue/git-sources.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import type { Store } from '#store/store.ts'
import { auditPublications } from '../../audit.ts'
import { sourceId } from '../../feeders.ts'
import { type GitContext, withGitAccess } from '../program/git-access.ts'
import { publishApproved } from '../pull/import-tree.ts'
import { isDue, isSame, makeHome, refusedContent } from '../pull/pull.ts'
import {
  isNews,
  logPull,
  publishedBetween,
  readSource,
  type SourceState,
  saveFailure,
  saveImported,
  sourceResult,
} from '../pull/source-state.ts'
import { remoteRef } from '../repository/remote.ts'

type FollowOptions = GitContext & {
  sources: readonly GitSource[]
  pull: (source: GitSource, take: readonly string[], signal: AbortSignal) => Promise<void>
  /** The projects that the first import of each source may take from another one. */
  take: readonly string[]
  log: Log
  audit: Audit
  /** Shows a result at its commit; never fails. */
  postStatus: (state: SourceState) => Promise<void>
  reporter: OutageReporter
  /** Waits until it is called back, or for this many milliseconds. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  random: () => number
}

export type Follower = {
  /** Asks for a check of all sources soon, by this process or another one. */
  request: () => Promise<void>
  /** The states of all sources, at most a few seconds old. */
  states: () => readonly SourceState[]
  /** Resolves once each source has been checked, or could not be. */
  first: Promise<void>
  stop: () => Promise<void>
}

/** Checks each repository every minute and after a request. Of several processes on a store, one does so each time. */
export function followSources(context: FollowOptions): Follower {
  const stopping = new AbortController()
  const states = () => followed.map(({ state }) => state())
  const report = async (before: SourceState, state: SourceState) => {
    logPull(context.log, state)
    auditPublications(context.audit, ...publishedBetween(before, state))
    await context.postStatus(state)
  }
  const followed = context.sources.map(source => followSource(context, source, report, stopping.signal))
  const { database, clock } = context.store
  return {
    request: async () => {
      await database.transaction(async queries => {
        for (const source of context.sources) await requestGitCheck(queries, sourceId(source), clock.date())
      })
      for (const { wake } of followed) wake()
    },
    states,
    first: Promise.all(followed.map(({ first }) => first)).then(() => undefined),
    stop: async () => {
      stopping.abort()
      for (const { wake } of followed) wake()
      await Promise.all(followed.map(({ ended }) => ended))
    },
  }
}

/** Checks one repository again and again until the signal is aborted. */
function followSource(
  context: FollowOptions,
  source: GitSource,
  report: (before: SourceState, state: SourceState) => Promise<void>,
  signal: AbortSignal,
) {
  const { store, reporter, wait, random } = context
  const { promise: first, resolve: hadFirst } = Promise.withResolvers<void>()
  /** The state in the store, which other processes also change. */
  let { state } = sourceResult(source, {})
  let hasChecked = false
  let waking = new AbortController()
  /** The first check of a process is due at once. */
  let pollMs = 0
  let { take } = context
  const attempt = async () => {
    const { state: before, waitMs } = await readSource(store.database, source)
    state = before
    if (await claim(store, source, pollMs, waitMs)) {
      pollMs = POLL_MS * (0.9 + random() * 0.2)
      await check({ ...context, take }, source, signal)
      state = (await readSource(store.database, source)).state
      // Projects are taken only once.
      if (!state.failure) take = []
      // A new process repeats what an operator has to fix.
      if (isNews(before, state) || (!hasChecked && state.state === 'failed')) await report(before, state)
      hasChecked = true
    }
    reporter.worked()
  }
  const run = async () => {
    while (!signal.aborted) {
      await unlessDamaged(store.database, attempt).catch(error => signal.aborted || reporter.failed(error))
      hadFirst()
      await wait(TICK_MS, AbortSignal.any([signal, waking.signal])).catch(() => undefined)
      if (waking.signal.aborted) waking = new AbortController()
    }
  }
  return { first, ended: run(), wake: () => waking.abort(), state: () => state }
}

/** Each process waits a little more or less, so that they do not ask the remote together. */
const POLL_MS = 60_000
/** How soon a process notices the requests and results of others. */
const TICK_MS = 5000

/**
 * Claims the next check for this process: after a request, or `pollMs` after the last check. If the host has asked not to
 * be asked again for `waitMs`, requests wait, too. Returns whether this process does the check.
 */
async function claim({ database, clock }: Store, source: GitSource, pollMs: number, waitMs: number): Promise<boolean> {
  const now = clock.date()
  /** A check is due if the last one was at this time or before. */
  const dueSince = new Date(now.getTime() - (waitMs > 0 ? POLL_MS + waitMs : pollMs))
  const { checkedAt = NEVER, requestedAt = NEVER } = await findGitSource(database, sourceId(source))
  if (checkedAt > dueSince && (waitMs > 0 || requestedAt <= checkedAt)) return false
  return database.transaction(queries => claimGitCheck(queries, sourceId(source), now, dueSince))
}

const NEVER = new Date(0)

/** Pulls the remote's commit unless it was imported last, or refused. Otherwise publishes newly approved drafts. */
async function check(context: FollowOptions, source: GitSource, signal: AbortSignal): Promise<void> {
  const { database, clock } = context.store
  const { imported, refused } = await readSource(database, source)
  if (!imported && refused === undefined) return pullNow(context, source, signal)
  const remote = await askRemote(context, source, signal)
  if (!remote.ok) return saveFailure(database, source, remote.problem)
  if (refused === refusedContent(remote.value, context.maxGit)) return
  if (!imported || isDue(imported, clock.date(), context.take) || !isSame(imported, remote.value, source))
    return pullNow(context, source, signal)
  await saveImported(database, source, await publishApproved(context.store, source, imported), clock.date())
}

/** The store has the result of a pull, except if it ended without one. */
async function pullNow({ pull, store, take }: FollowOptions, source: GitSource, signal: AbortSignal): Promise<void> {
  try {
    await pull(source, take, signal)
  } catch (error) {
    signal.throwIfAborted()
    const message = `cannot import the commit: ${errorMessage(error)}`
    await saveFailure(store.database, source, { code: 'pull_failed', message })
  }
}

/** Asks the host for the current head of a source. */
function askRemote({ host, mirrors }: FollowOptions, source: GitSource, signal: AbortSignal) {
  const home = makeHome(mirrors, source)
  return withGitAccess(host, source, { home, signal }, runner => remoteRef(runner, source, host))
}
