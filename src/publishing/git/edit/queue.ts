import { setTimeout as sleep } from 'node:timers/promises'
import { serial } from '#platform/base/promise.ts'
import { failed, ok } from '#platform/base/result.ts'
import type { GitProblem, GitResult } from '../program/git-problem.ts'
import { type EditClone, type Head, orStop, pushCommit, stoppable, withHead } from './clone.ts'
import type { Conflict } from './merge-files.ts'
import { type Changes, commitOn, type Edit, lastSaves, type MadeCommit, type Saved } from './save.ts'

/** A save that waits. Its changes are read on its turn: those that undo a commit depend on the branch. */
type Save = {
  author: Edit['author']
  read: () => Promise<GitResult<Changes>>
  settle: (result: GitResult<Saved>) => void
}

/**
 * The turns of everything that uses the clone of a branch. Saves that wait at the same time, one of each person, are a
 * commit each and one push. If the host does not answer, everything that has waited until then gets that problem at once.
 */
export function openQueue(edited: EditClone) {
  const inTurn = serial()
  let waiting: Save[] = []
  /** The last time that the host did not answer. */
  let away: { problem: GitProblem; at: number } | undefined
  /** Runs work on its turn. */
  const inLine = <Value>(work: () => Promise<GitResult<Value>>): Promise<GitResult<Value>> => {
    const since = performance.now()
    return inTurn(async () => {
      if (away && away.at >= since) return failed(away.problem)
      const result = await work()
      if (result.ok || !AWAY.has(result.problem.code)) return result
      away = { problem: result.problem, at: performance.now() }
      waiting = []
      return result
    })
  }
  /** Saves the first waiting save of each person. */
  const saveWaiting = () => {
    // A Map keeps the last value of a key: in reverse, the first save of each person.
    const firstOfEach = new Map(waiting.toReversed().map(save => [`${save.author.name} ${save.author.email}`, save]))
    const saves = new Set(firstOfEach.values())
    waiting = waiting.filter(save => !saves.has(save))
    return saveAll(edited, [...saves].toReversed())
  }
  return {
    inLine,
    save: (author: Save['author'], read: Save['read']): Promise<GitResult<Saved>> => {
      const { promise, resolve, reject } = Promise.withResolvers<GitResult<Saved>>()
      waiting.push({ author, read, settle: resolve })
      // Usually it was settled before, on the turn of a save that came earlier.
      inLine(saveWaiting).then(turn => resolve(turn.ok ? INTERRUPTED : turn), reject)
      return promise
    },
  }
}

/** The problems of a host that does not answer. */
const AWAY: ReadonlySet<string> = new Set(['git_unreachable', 'git_too_slow'])

const INTERRUPTED = failed({
  code: 'pull_failed',
  message: 'cannot save: an error interrupted another save; save again',
} as const)

/** The saves of a turn. The only problem is that of a host that does not answer; saves without a result have it too. */
async function saveAll(edited: EditClone, saves: readonly Save[]): Promise<GitResult<undefined>> {
  const entries: Entry[] = []
  for (const { read, settle } of saves) {
    const edit = await read()
    if (edit.ok) entries.push(entryOf(edit.value, settle))
    else settle(edit)
  }
  return saveTogether(edited, entries)
}

/** A save whose changes are read. `settle` gives its person the result, after which it is not tried again. */
type Entry = { edit: Changes; isSettled: boolean; settle: Save['settle'] }

function entryOf(edit: Changes, settle: Save['settle']): Entry {
  const entry: Entry = {
    edit,
    isSettled: false,
    settle: result => {
      entry.isSettled = true
      settle(result)
    },
  }
  return entry
}

/**
 * Commits edits to the head of the branch, and pushes the last commit. The push, which is never forced, is the only lock:
 * if somebody else pushed meanwhile, the same is done with the new head.
 */
async function saveTogether(edited: EditClone, entries: readonly Entry[]): Promise<GitResult<undefined>> {
  const began = performance.now()
  let open = entries
  for (let tries = 1; open.length > 0; tries++) {
    const groupsLeft = await withHead(edited, head => pushOn(edited, head, open))
    if (groupsLeft.ok) return saveGroups(edited, groupsLeft.value)
    open = open.filter(({ isSettled }) => !isSettled)
    const { code } = groupsLeft.problem
    const isAway = AWAY.has(code)
    const tookLong = performance.now() - began > RETRY_FOR_MS
    if (tries >= (MAX_TRIES[code] ?? 1) || (isAway && tookLong)) {
      if (isAway) return groupsLeft
      for (const { settle } of open) settle(groupsLeft)
      break
    }
    await sleep(RETRY_MS * tries, undefined, { signal: edited.signal })
  }
  return ok(undefined)
}

/** How often saves are tried, for the problems where that helps. */
const MAX_TRIES: Partial<Record<string, number>> = { git_push_late: 10, git_unreachable: 3 }
const RETRY_MS = 100
/** A host that takes longer to fail is not asked again. */
const RETRY_FOR_MS = 5000

/** Saves groups one after the other, each with its own push. */
async function saveGroups(edited: EditClone, groups: readonly (readonly Entry[])[]): Promise<GitResult<undefined>> {
  for (const group of groups) {
    const saved = await saveTogether(edited, group)
    if (!saved.ok) return saved
  }
  return ok(undefined)
}

/**
 * Commits edits on a head, pushes them together and settles them. Returns the others in groups, each of which is tried again
 * by itself: the halves of a group with a problem, and the edits that only waited for it.
 */
async function pushOn(edited: EditClone, head: Head, entries: readonly Entry[]): Promise<Entry[][]> {
  const { tip, made, unmade } = await commitAll(edited, head, entries)
  if (made.length > 0) {
    const madeEntries = made.map(({ entry }) => entry)
    const unmadeEntries = unmade.map(({ entry }) => entry)
    const problem = await problemOf(edited, head, tip)
    if (problem) return [...divided(madeEntries, problem), unmadeEntries]
    const permitted = await withRight(made)
    if (permitted.length < made.length) return [[...permitted, ...unmadeEntries]]
    for (const { entry } of made) await edited.journal?.begin(entry.edit)
    const pushed = await stoppable(() => pushCommit(edited, tip))
    for (const { entry, commit } of made) ended(edited, entry, pushed.ok ? commit : pushed.problem)
    if (!pushed.ok && pushed.problem.code === 'git_push_refused')
      return [...divided(madeEntries, pushed), unmadeEntries]
    orStop(pushed)
    for (const { entry, commit } of made) entry.settle(ok({ outcome: 'saved', commit }))
  }
  await settleUnmade(edited, unmade)
  return []
}

/** Settles the edits without a commit: a conflict, or nothing had to change. */
async function settleUnmade(edited: EditClone, unmade: readonly Unmade[]): Promise<void> {
  const saves = unmade.length > 0 ? (await lastSaves(edited)).saves : []
  for (const { entry, conflicts } of unmade) {
    // An earlier attempt may have made the commit, and its reply may have been lost.
    const { author, saveId } = entry.edit
    const commit = saves.find(save => save.saveId === saveId && save.email === author.email)?.hash
    const isConflict = conflicts.length > 0 && commit === undefined
    if (commit !== undefined) ended(edited, entry, commit)
    entry.settle(ok(isConflict ? { outcome: 'conflict', files: conflicts } : { outcome: 'saved', commit }))
  }
}

/** Why commits must not be pushed: they bring errors, or cannot be checked. Undefined if they may. */
async function problemOf({ check }: EditClone, head: Head, tip: Head): Promise<GitResult<Saved> | undefined> {
  const added = await check?.added(head, tip)
  if (added?.ok !== true) return added
  return added.value.length > 0 ? ok({ outcome: 'invalid', findings: added.value }) : undefined
}

/**
 * Records the end of a push.
 *
 * @param result the pushed commit, or the problem; if the host did not answer, it may have the commit, so the line is kept
 */
function ended({ journal }: EditClone, { edit: { saveId, audit } }: Entry, result: string | GitProblem): void {
  const isPushed = typeof result === 'string'
  if (isPushed) audit?.record({ ...audit.line, commit: result })
  if (isPushed || !AWAY.has(result.code)) journal?.end(saveId)
}

type Made = { entry: Entry } & MadeCommit
type Unmade = { entry: Entry; conflicts: readonly Conflict[] }

/** Makes a commit for each edit on top of the one before; `tip` is the last. Settles the edits that are refused. */
async function commitAll(edited: EditClone, head: Head, entries: readonly Entry[]) {
  let tip = head
  const made: Made[] = []
  const unmade: Unmade[] = []
  for (const entry of entries) {
    const committed = await stoppable(() => commitOn(edited, tip, entry.edit))
    if (!committed.ok) entry.settle(committed)
    else if (committed.value.made) {
      made.push({ entry, ...committed.value.made })
      tip = { ...tip, hash: committed.value.made.commit }
    } else unmade.push({ entry, conflicts: committed.value.conflicts })
  }
  return { tip, made, unmade }
}

/** The edits whose people still have the right to them. Settles the others. */
async function withRight(made: readonly Made[]): Promise<Entry[]> {
  const permitted: Entry[] = []
  for (const { entry, assertRight } of made) {
    const asked = await stoppable(assertRight)
    if (asked.ok) permitted.push(entry)
    else entry.settle(asked)
  }
  return permitted
}

/** The halves of a group with a problem, in which its cause is looked for. An edit that is alone has the problem itself. */
function divided([first, ...others]: readonly Entry[], problem: GitResult<Saved>): Entry[][] {
  if (!first) return []
  if (others.length === 0) {
    first.settle(problem)
    return []
  }
  const half = Math.floor(others.length / 2)
  return [[first, ...others.slice(0, half)], others.slice(half)]
}
