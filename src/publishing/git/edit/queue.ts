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
  let away: { problem: GitProblem; at: number } | undefined
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
  const saveWaiting = () => {
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
    if (edit.ok) entries.push({ edit: edit.value, settle })
    else settle(edit)
  }
  return saveTogether(edited, entries)
}

type Entry = { edit: Changes; settle: Save['settle'] }

/**
 * Commits edits to the head of the branch, and pushes the last commit. The push, which is never forced, is the only lock:
 * if somebody else pushed meanwhile, the same is done with the new head.
 */
async function saveTogether(edited: EditClone, entries: readonly Entry[]): Promise<GitResult<undefined>> {
  const began = performance.now()
  for (let tries = 1; entries.length > 0; tries++) {
    const pushed = await withHead(edited, head => pushOn(edited, head, entries))
    if (pushed.ok) return saveGroups(edited, pushed.value)
    const { code } = pushed.problem
    const [isAway, isLong] = [AWAY.has(code), performance.now() - began > RETRY_FOR_MS]
    if (tries >= (MAX_TRIES[code] ?? 1) || (isAway && isLong)) {
      if (isAway) return pushed
      for (const { settle } of entries) settle(pushed)
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

async function saveGroups(edited: EditClone, groups: readonly (readonly Entry[])[]): Promise<GitResult<undefined>> {
  for (const group of groups) {
    const saved = await saveTogether(edited, group)
    if (!saved.ok) return saved
  }
  return ok(undefined)
}

/** Saves on a head. Returns the groups of edits that another edit, or all together, kept from being pushed. */
async function pushOn(edited: EditClone, head: Head, entries: readonly Entry[]): Promise<Entry[][]> {
  const { tip, made, unmade } = await commitAll(edited, head, entries)
  if (made.length > 0) {
    const group = made.map(({ entry }) => entry)
    const others = unmade.map(({ entry }) => entry)
    const problem = await problemOf(edited, head, tip)
    if (problem) return [...divided(group, problem), others]
    const stillMay = await withRight(made)
    if (stillMay.length < made.length) return [[...stillMay, ...others]]
    for (const { entry } of made) await edited.journal?.begin(entry.edit)
    const pushed = await stoppable(() => pushCommit(edited, tip))
    for (const { entry, commit } of made) ended(edited, entry, pushed.ok ? commit : pushed.problem)
    if (!pushed.ok && pushed.problem.code === 'git_push_refused') return [...divided(group, pushed), others]
    orStop(pushed)
    for (const { entry, commit } of made) entry.settle(ok({ outcome: 'saved', commit }))
  }
  const saves = unmade.length > 0 ? (await lastSaves(edited)).saves : []
  for (const { entry, conflicts } of unmade) {
    // The reply to an earlier attempt may have been lost.
    const { author, saveId } = entry.edit
    const commit = saves.find(save => save.saveId === saveId && save.email === author.email)?.hash
    const isConflict = conflicts.length > 0 && commit === undefined
    if (commit !== undefined) ended(edited, entry, commit)
    entry.settle(ok(isConflict ? { outcome: 'conflict', files: conflicts } : { outcome: 'saved', commit }))
  }
  return []
}

/** Why commits must not be pushed; undefined if they bring no error. */
async function problemOf({ check }: EditClone, head: Head, tip: Head): Promise<GitResult<Saved> | undefined> {
  const added = await check?.added(head, tip)
  if (added?.ok !== true) return added
  return added.value.length > 0 ? ok({ outcome: 'invalid', findings: added.value }) : undefined
}

/** Records a pushed commit. After a push with an unknown result, its line is kept. */
function ended({ journal }: EditClone, { edit: { saveId, audit } }: Entry, result: string | GitProblem): void {
  const isPushed = typeof result === 'string'
  if (isPushed) audit?.record({ ...audit.line, commit: result })
  if (isPushed || !AWAY.has(result.code)) journal?.end(saveId)
}

type Made = { entry: Entry } & MadeCommit

/** A commit for each edit on top of the one before. Settles the edits that are refused. */
async function commitAll(edited: EditClone, head: Head, entries: readonly Entry[]) {
  let tip = head
  const made: Made[] = []
  const unmade: { entry: Entry; conflicts: readonly Conflict[] }[] = []
  for (const entry of entries) {
    const done = await stoppable(() => commitOn(edited, tip, entry.edit))
    if (!done.ok) entry.settle(done)
    else if (done.value.made) {
      made.push({ entry, ...done.value.made })
      tip = { ...tip, hash: done.value.made.commit }
    } else unmade.push({ entry, conflicts: done.value.conflicts })
  }
  return { tip, made, unmade }
}

/** The edits whose people still have the right to them. Settles the others. */
async function withRight(made: readonly Made[]): Promise<Entry[]> {
  const group: Entry[] = []
  for (const { entry, assertRight } of made) {
    const asked = await stoppable(assertRight)
    if (asked.ok) group.push(entry)
    else entry.settle(asked)
  }
  return group
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
