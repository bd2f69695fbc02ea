import { isFixedRule } from '#brand/finding.ts'
import { type ProjectRef, placeText } from '#brand/ids.ts'
import { ok } from '#platform/base/result.ts'
import { pluralize } from '#platform/base/text.ts'
import { auditPublications } from '#publishing/audit.ts'
import { type HistoryEntry, history, retract as retractRevision, rollback as rollBack } from '#publishing/history.ts'
import { cancelPlan, parseTime, planPublication, planState } from '#publishing/plan.ts'
import type { CommandProblem, Outcome } from '#publishing/project-ref.ts'
import { MAX_NOTE, type Publications, type PublishResult, publishAll, publishEvery } from '#publishing/publish.ts'
import type { Over, Review } from '#publishing/review.ts'
import { type ProjectState, projectStates, runningServices, servedIn } from '#publishing/status.ts'
import { findProject, isWaiting } from '#store/catalogue/catalogue.ts'
import { findPlan } from '#store/catalogue/plans.ts'
import { addressesFor } from '../../../compose/address.ts'
import { auditFor } from '../../../compose/audit.ts'
import { placeName } from '../../../compose/store.ts'
import {
  type Arguments,
  hasFlag,
  type Io,
  type NextStep,
  type Output,
  operand,
  type Run,
  type Store,
  textOption,
} from '../../command.ts'
import { CommandFailure, Misuse, unwrap } from '../../failure.ts'
import {
  type InStore,
  inStore,
  onProject,
  parseProjectRef,
  parseRevision,
  parseSelection,
  requireSelection,
} from '../../in-store.ts'
import { emptyStoreOutput, findingLine, listOutput } from '../../output/output.ts'
import { dateText, endedPlansText, firstLines, paint, planText, table, visible } from '../../output/text.ts'

export const run: Run = async (args, io) => {
  const isAll = hasFlag(args, 'all')
  // Both or neither was given.
  if (isAll === args.operands.length > 0)
    throw new Misuse('name the projects to publish as workspace/project, or give --all')
  const note = textOption(args, 'note')
  if (note !== undefined && note.length > MAX_NOTE)
    throw new Misuse(`--note: a note may have at most ${MAX_NOTE} characters`)
  const refs = [...new Set(args.operands)].map(parseProjectRef)
  if (textOption(args, 'at') !== undefined || hasFlag(args, 'cancel')) return plan(args, io, note)
  const approvers = hasFlag(args, 'approved') ? ('everyone' as const) : ('named' as const)
  const by = { note, who: io.user, approvers }
  return inStore(args, io, async ({ store, settings, now }) => {
    const attempt = async (over: Over): Outcome<Publications> => {
      if (isAll) return publishEvery(store, { ...by, over }, now)
      const published = await publishAll(store, refs, { ...by, over }, now)
      return published.ok ? ok({ published: published.value, skipped: [] }) : published
    }
    const { published: results, skipped } = await overRequests(args, io, attempt)
    auditPublications(auditFor(settings, io), results, { via: 'command' })
    for (const { workspace, project, problem = 'it is not approved' } of skipped)
      io.err(`${workspace}/${project}: skipped, because ${problem}\n`)
    if (results.length === 0) return skipped.length > 0 ? { json: [] } : emptyStoreOutput(placeName(settings))
    return publishedOutput(results, { store, settings, now })
  })
}

/** The output of publications, with their addresses if a service is running. */
async function publishedOutput(results: readonly PublishResult[], { store, settings, now }: InStore): Promise<Output> {
  const text = results.map(publicationText).join('')
  const links = await linkToPrivate(store, results)
  const [service] = await runningServices(store, now)
  if (service === undefined) return { json: results, text, note: '', next: [START, ...links] }
  const urls = await addressesFor(store, service, settings)
  const note = results.map(each => `served at ${urls.project(each)}\n`).join('')
  return { json: results, text, note, next: links }
}

/** Plans a publication (`--at`), or cancels the planned one (`--cancel`). */
async function plan(args: Arguments, io: Io, note: string | undefined) {
  const timeText = textOption(args, 'at')
  const at = timeText === undefined ? undefined : parseTime(timeText)
  if (args.operands.length !== 1 || hasFlag(args, 'cancel') === (timeText !== undefined))
    throw new Misuse('name one project, as workspace/project, and give either --at or --cancel')
  if (timeText !== undefined && !at)
    throw new Misuse(`--at ${timeText}: write a time with its zone, as in 2026-12-01T09:00Z`)
  return onProject(args, io, async ({ store, settings, ref, name, now }) => {
    const audit = auditFor(settings, io)
    // With --cancel.
    if (!at) {
      const { changed } = unwrap(await cancelPlan(store, ref, audit))
      const state = changed ? 'the planned publication is cancelled' : 'no publication was planned'
      return { json: [{ ...ref, changed }], text: `${name}: ${state}\n` }
    }
    const approvers = hasFlag(args, 'approved') ? ('everyone' as const) : undefined
    const planned = await overRequests(args, io, over =>
      planPublication(store, ref, { at, note, who: io.user, over, approvers }, now),
    )
    audit({ event: 'publication-planned', ...ref })
    return { json: [{ ...ref, ...planState(planned) }], text: `${name}: will be published at ${at.toISOString()}\n` }
  })
}

/**
 * Publishes or plans. If a reviewer has asked for changes, it does so nevertheless with `--yes`, or if the user agrees.
 * `attempt` gets the requests that it may disregard: all or none.
 */
async function overRequests<Value>(args: Arguments, io: Io, attempt: (over: Over) => Outcome<Value>): Promise<Value> {
  const first = await attempt(hasFlag(args, 'yes') ? 'all' : [])
  const isConfirmed = !first.ok && first.problem.code === 'changes_requested' && (await confirm(first.problem, io))
  return unwrap(isConfirmed ? await attempt('all') : first)
}

/** Asks once whether to publish over a request for changes. Fails unless the answer is yes, or if there is no terminal. */
async function confirm({ code, message }: CommandProblem, { ask }: Io): Promise<boolean> {
  if (!ask) throw new CommandFailure(code, `${message}: publish all the same with --yes`)
  const answer = await ask(`${visible(message)}. Type yes to publish all the same: `)
  if (answer.trim().toLowerCase() === 'yes') return true
  throw new CommandFailure('not_confirmed', 'nothing was published: the answer was not yes')
}

function publicationText({ workspaceChanges, translations, ...published }: PublishResult): string {
  const { workspace, project, revision, snapshot, changed } = published
  const translationsNote = translations && `; its styles and files are now also in ${translations.join(', ')}`
  const state = changed ? `published revision ${revision}` : `revision ${revision} is already published`
  const workspaceNote =
    workspaceChanges && `; it also published ${workspaceChanges.join(', ')} of workspace.yaml for all guides`
  return `${workspace}/${project}: ${state} (snapshot ${snapshot.slice(0, 12)})${workspaceNote ?? ''}${translationsNote ?? ''}\n`
}

const START: NextStep = { purpose: 'start the service', command: 'serve' }

/** The step that gives readers a link to the first private guide. For public ones, their address is enough. */
async function linkToPrivate(store: Store, published: readonly ProjectRef[]): Promise<NextStep[]> {
  const names = new Set(published.map(placeText))
  const workspaces = new Set(published.map(({ workspace }) => workspace))
  const served = await Promise.all([...workspaces].map(workspace => servedIn(store, workspace)))
  const hidden = served.flat().filter(each => each.isPrivate && names.has(placeText(each)))
  const operands = hidden.map(placeText).slice(0, 1)
  return operands.map(name => ({ purpose: 'give readers a link', command: 'share', operands: [name] }))
}

export const list: Run = (args, io) =>
  onProject(args, io, async ({ store, ref, name, now }) => {
    const entries = unwrap(await history(store, ref))
    const plan = entries.length === 0 ? await findPlan(store.database, ref) : undefined
    const planned = plan ? `; ${planText(planState(plan))}` : ''
    const next = entries.length === 0 ? [{ command: 'publish', operands: [name] }] : []
    return {
      ...listOutput(entries, entry => rowOf(entry, now, io), `${name} has not been published yet${planned}\n`),
      next,
    }
  })

function rowOf(entry: HistoryEntry, now: Date, io: Io): string[] {
  const { revision, snapshot, publishedAt, note, who } = entry
  return [
    `revision ${revision}`,
    dateText(publishedAt, now),
    snapshot.slice(0, 12),
    markText(entry, io),
    visible([note, ...reviewedTexts(entry)].filter(Boolean).join('; ')),
    visible(who ?? ''),
  ]
}

function reviewedTexts({ approvers = [], overRequests = [], endedPlans = [] }: HistoryEntry): string[] {
  return [
    ...(approvers.length > 0 ? [`approved by ${approvers.join(', ')}`] : []),
    ...overRequests.map(({ who }) => `published although ${who} asked for changes`),
    ...endedPlans.map(planText),
  ]
}

/** `served`, `retracted`, `freed` or `retracted, freed`; empty for any other revision. */
function markText({ current, retractedAt, freedAt }: HistoryEntry, io: Io): string {
  if (current) return paint(io.hasColor.out, 'green', 'served')
  return paint(io.hasColor.out, 'gray', [retractedAt && 'retracted', freedAt && 'freed'].filter(Boolean).join(', '))
}

export const rollback: Run = async (args, io) => {
  const [, text] = args.operands
  const number = text === undefined ? undefined : parseRevision(text)
  return onProject(args, io, async ({ store, settings, ref, name, now }) => {
    const result = unwrap(await rollBack(store, ref, number, now, io.user))
    auditPublications(auditFor(settings, io), [result], { via: 'command' }, 'restored')
    const { revision, snapshot, changed } = result
    const state = changed ? `serves revision ${revision}` : `already serves that content as revision ${revision}`
    const text = `${name}: ${state} (snapshot ${snapshot.slice(0, 12)}); its draft is unchanged\n`
    const record = await findProject(store.database, ref.workspace, ref.project)
    const note = record && isWaiting(record) ? DRAFT_STAYS : undefined
    return { json: [result], text: text + endedPlansText(result.endedPlans), note }
  })
}

const DRAFT_STAYS =
  'the draft differs from that content: the next publication brings the change back, unless you import another draft first\n'

export const retract: Run = async (args, io) => {
  const number = parseRevision(operand(args, 1))
  return onProject(args, io, async ({ store, ref, name, now }) => {
    const result = unwrap(await retractRevision(store, ref, number, now))
    const text = `${name}: revision ${number} is retracted; it stays in the history\n`
    return { json: { ...ref, ...result }, text: text + endedPlansText(result.endedPlans) }
  })
}

export const listStates: Run = async (args, io) => {
  const selection = parseSelection(args.operands[0])
  return inStore(args, io, async ({ store, settings, now }) => {
    await requireSelection(store, selection)
    const states = await projectStates(store, selection)
    const addresses = (await runningServices(store, now)).map(url => `served at ${url}\n`).join('')
    if (states.length === 0) return { ...emptyStoreOutput(placeName(settings)), text: addresses }
    const rows = () => table(states.map(state => stateRow(state, now, io))) + leftOutText(states, io) + addresses
    return { json: states, text: rows }
  })
}

function stateRow(state: ProjectState, now: Date, io: Io): string[] {
  const { status, revision, publishedAt, translation, workspaceChanges } = state
  return [
    `${state.workspace}/${state.project}`,
    paint(io.hasColor.out, STYLES[status] ?? 'gray', status),
    revision === null ? '-' : `revision ${revision}`,
    publishedAt === null ? 'not published' : `published ${dateText(publishedAt, now)}`,
    visible(state.name),
    [
      ...state.reviews.map(reviewText),
      ...missingText(state.missing),
      ...(state.planned ? [planText(state.planned)] : []),
      ...(translation ? [`translation: ${translation.missing} missing, ${translation.stale} stale`] : []),
      ...(state.goneFrom === undefined ? [] : [`no longer in ${visible(state.goneFrom)}`]),
      ...(workspaceChanges ? [`workspace.yaml not published: ${workspaceChanges.join(', ')}`] : []),
    ].join(', '),
  ]
}

/** `approved by Ann (link made by Bob) (old)`. */
function reviewText({ answer, who, old, link, by, ended, dismissed }: Review): string {
  const through = link && (by ? ` (link made by ${visible(by)})` : ' (link)')
  const marks = [old && ' (old)', ended && ' (ended)', dismissed && ' (dismissed)'].filter(Boolean).join('')
  return `${answer === 'approve' ? 'approved' : 'changes asked'} by ${visible(who)}${through ?? ''}${marks}`
}

function missingText(missing: ProjectState['missing']): string[] {
  if (missing === undefined) return []
  return [`lacks ${typeof missing === 'number' ? pluralize(missing, 'review') : `review by ${missing.join(', ')}`}`]
}

/** The warnings about files that were left out of drafts. Other warnings are on the manage page and in the JSON. */
function leftOutText(states: readonly ProjectState[], io: Io): string {
  const lines = states.flatMap(({ workspace, project, findings = [] }) => {
    const leftOut = findings.filter(({ rule }) => isFixedRule(rule))
    const warnings = leftOut.map(finding => findingLine(finding, io.hasColor.out))
    const shown = firstLines(warnings, MAX_FINDINGS, more => `and ${more} more: see \`housestyle status --json\`\n`)
    return shown.map(line => `${workspace}/${project}: ${line}`)
  })
  return lines.join('')
}

const MAX_FINDINGS = 20

const STYLES: Readonly<Record<string, 'green' | 'yellow'>> = { UpToDate: 'green', Changed: 'yellow' }
