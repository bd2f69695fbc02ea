import { errorMessage } from '#platform/base/error.ts'
import { auditPublications } from '#publishing/audit.ts'
import { noteOf } from '#publishing/git/pull/import-tree.ts'
import { type Pulled, pull } from '#publishing/git/pull/pull.ts'
import { followedSources, publishedBetween, type SourceState, sourceLabel } from '#publishing/git/pull/source-state.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import type { Database } from '#store/database/database.ts'
import type { DamagedRow } from '#store/store-error.ts'
import { auditFor } from '../../../compose/audit.ts'
import { gitHostOf, postStatus, withMirrors } from '../../../compose/git.ts'
import { withExistingStore, withStore } from '../../../compose/store.ts'
import { withReadOptions } from '../../brand-folder.ts'
import { type Arguments, hasFlag, type Io, type Run, type Store } from '../../command.ts'
import { CommandFailure, EXIT, Misuse } from '../../failure.ts'
import { takenProjects } from '../../in-store.ts'
import { findingLine, printJson, printWaiting } from '../../output/output.ts'
import { dateText, endedPlansText, visible } from '../../output/text.ts'
import { type CommandSettings, loadSettings } from '../../settings.ts'

export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  if (hasFlag(args, 'status')) return printStatus(settings, args, io)
  if (settings.git.length === 0) throw noSource()
  return pullAll(settings, args, io)
}

function noSource(): CommandFailure {
  return new Misuse('no repository is followed: name one with --git, or in git: in housestyle.yaml')
}

async function printStatus(settings: CommandSettings, args: Arguments, io: Io): Promise<number> {
  const { states, now } = await withExistingStore(settings, async ({ database, clock }) => {
    return { states: await followedSources(database, settings.git), now: clock.date() }
  })
  if (states.length === 0) throw noSource()
  if (hasFlag(args, 'json')) printJson(io, states)
  else for (const state of states) printState(state, now, io)
  return exitOf(states)
}

/** Pulls all repositories and prints the results. Damage in the store prevents only the pull that meets it. */
async function pullAll(settings: CommandSettings, args: Arguments, io: Io): Promise<number> {
  const take = takenProjects(args)
  const damaged: DamagedRow[] = []
  const listeners = new Set([(row: DamagedRow) => damaged.push(row)])
  const pulled = await withStore(settings, store => pullEach(store, { settings, args, io, take, listeners }))
  const states = pulled.map(({ state }) => state)
  if (hasFlag(args, 'json'))
    printJson(
      io,
      pulled.map(({ outcome, state }) => ({ outcome, ...state })),
    )
  else for (const state of states) printPull(state, io)
  if (damaged.length > 0) throw new CommandFailure('store_damaged', damaged.map(errorMessage).join('; '))
  return exitOf(states)
}

type PullOptions = {
  settings: CommandSettings
  args: Arguments
  io: Io
  take: readonly string[]
  listeners: Database['listeners']
}

/** Pulls one repository after the other. Returns those whose pull met no damage in the store. */
function pullEach(store: Store, { settings, args, io, take, listeners }: PullOptions): Promise<Pulled[]> {
  const host = gitHostOf(settings, io.environment, io.kill)
  const warn = (_: object, message: string) => io.err(`${message}\n`)
  return withMirrors(settings, mirrors =>
    withReadOptions(settings, io, async read => {
      const done: Pulled[] = []
      const parts = { store, host, mirrors, maxGit: settings.maxGit }
      const options = { read: { ...read, take }, isForced: true, waiting: printWaiting(args, io) }
      for (const source of settings.git)
        await unlessDamaged({ listeners }, async () => {
          const pulled = await pull(parts, source, options)
          auditPublications(auditFor(settings, io), ...publishedBetween(pulled.before, pulled.state))
          await postStatus(settings.gitToken, pulled.state, { warn })
          done.push(pulled)
        })
      return done
    }),
  )
}

function exitOf(states: readonly { state: string }[]): number {
  return states.some(({ state }) => state === 'failed') ? EXIT.failed : EXIT.done
}

function printPull(state: SourceState, io: Io): void {
  const { failure, commit, projects, workspace } = state
  printFindings(state, io)
  if (failure) {
    io.err(`${visible(failure.message)}\n`)
    return
  }
  io.out(`${visible(sourceLabel(state))}: ${commit ? visible(noteOf(commit)) : ''}\n`)
  for (const { project, imported, changed, revision } of projects) {
    const what = revision === null ? `draft ${changed ? 'changed' : 'unchanged'}` : `revision ${revision} is published`
    io.out(`${workspace}/${project}: ${imported ? what : 'not imported because of errors'}\n`)
  }
  io.out(endedPlansText(state.endedPlans))
}

function printState(state: SourceState, now: Date, io: Io): void {
  const { failure, commit, goodAt, checkedAt } = state
  const shownDate = (date: string | null) => (date === null ? 'never' : dateText(date, now))
  io.out(`${visible(sourceLabel(state))}\n`)
  io.out(`  state      ${state.state}\n`)
  if (commit) io.out(`  commit     ${visible(noteOf(commit))}\n`)
  io.out(`  checked    ${shownDate(checkedAt)}\n  last good  ${shownDate(goodAt)}\n`)
  if (failure) io.out(`  failure    ${failure.code}: ${visible(failure.message)}\n`)
  printFindings(state, io)
}

function printFindings({ findings, errors, warnings }: SourceState, io: Io): void {
  for (const finding of findings) io.err(findingLine(finding, io.hasColor.err))
  const more = errors + warnings - findings.length
  if (more > 0) io.err(`and ${more} more: see \`housestyle check\`\n`)
}
