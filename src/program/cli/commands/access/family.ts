import { parseDuration } from '#platform/base/duration.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { type Family, MAX_NAME } from '#serving/access/families.ts'
import { MAX_LIFETIME_SECONDS, type ScopeSelection, selectScopes } from '#serving/access/token/issue.ts'
import { accessFor } from '../../../compose/access.ts'
import { auditFor } from '../../../compose/audit.ts'
import { type Arguments, type Io, listOption, type Run, type Store, textOption } from '../../command.ts'
import { CommandFailure, Misuse } from '../../failure.ts'
import { type InStore, inStore, parseSelection, requireSelection, type Selection } from '../../in-store.ts'
import { listOutput } from '../../output/output.ts'
import { dateText, localText, paint, visible } from '../../output/text.ts'

type ListText<State> = {
  rowOf: (state: State, now: Date, io: Io) => readonly string[]
  none: string | ((selection: Selection) => string)
  /** Whether the operand may name a project, and not only a workspace. */
  hasProjects?: true
}

/** Makes the command that lists the items of a family, such as tokens, of the workspace or project that its operand names. */
export function listCommand<State extends object>(
  { states }: Pick<Family<State>, 'states'>,
  { rowOf, none, hasProjects }: ListText<State>,
): Run {
  return (args, io) =>
    inStore(args, io, async ({ store, settings, now }) => {
      const [place] = args.operands
      const selection = hasProjects || place === undefined ? parseSelection(place) : { workspace: place }
      const items = await states(store.database, selection, { now, settings })
      // Sign-in settings may exist before a followed repository brings their workspace.
      if (items.length === 0) await requireSelection(store, selection)
      const note = typeof none === 'string' ? none : none(selection)
      return listOutput(items, item => rowOf(item, now, io), `${note}\n`)
    })
}

/** The text of an end: `revoked`, or the failure if there is no item with this id. */
type EndText<Ended> = {
  done: string | ((ended: Ended) => string)
  /** What stays open after the end. */
  note?: (ended: Ended) => string
  unknown: (id: string) => CommandFailure
}

/** Makes the command that ends the item whose id is its operand: `token revoke`, `client delete`. */
export function endCommand<Ended extends object>(
  { end }: Pick<Family<never, Ended>, 'end'>,
  { done, note, unknown }: EndText<Ended>,
): Run {
  return (args, io) =>
    withAccess(args, io, async ({ access, now }) => {
      const [id = ''] = args.operands
      const ended = await end(access, id, now)
      if (!ended) throw unknown(id)
      return { json: ended, text: `${id}: ${typeof done === 'string' ? done : done(ended)}\n`, note: note?.(ended) }
    })
}

/** Runs work that changes the access to the existing store of a command. */
export function withAccess<Value>(
  args: Arguments,
  io: Io,
  work: (opened: InStore & { access: AccessContext }) => Promise<Value>,
  open?: Parameters<typeof inStore<Value>>[3],
): Promise<Value> {
  const withRecords = (opened: InStore) => {
    const audit = auditFor(opened.settings, io)
    return work({ ...opened, access: accessFor(opened.settings, opened.store, audit) })
  }
  return inStore(args, io, withRecords, open)
}

/** The lifetime from `--expires` in seconds, at most 366 days. */
export function lifetimeOption(args: Arguments, noun: 'token' | 'share link'): number {
  const expires = textOption(args, 'expires') ?? ''
  const seconds = parseDuration(expires)
  if (seconds === undefined)
    throw new Misuse(`--expires: ${JSON.stringify(expires)} is not a duration: write 30s, 15m, 1h or 30d`)
  if (seconds <= MAX_LIFETIME_SECONDS) return seconds
  const message = `--expires: a ${noun} is valid for at most 366d, and ${expires} is longer`
  throw new CommandFailure('lifetime_too_long', message)
}

/** The hour of the last use of a token, client or share link. */
export function lastUseText({ lastUsedAt }: { lastUsedAt: string | null }): string {
  return lastUsedAt === null ? 'no use recorded' : `used ${localText(lastUsedAt)}`
}

/** The time until which a token or share link is valid, or since which it is revoked or expired. */
export function validityText(
  { expiresAt, revokedAt }: { expiresAt: string; revokedAt: string | null },
  now: Date,
  io: Io,
): string {
  if (revokedAt !== null) return paint(io.hasColor.out, 'gray', `revoked ${dateText(revokedAt, now)}`)
  const isOver = new Date(expiresAt) <= now
  const [state, color] = isOver ? (['expired', 'gray'] as const) : (['until', 'green'] as const)
  return paint(io.hasColor.out, color, `${state} ${dateText(expiresAt, now)}`)
}

/** The value of `--name`: the purpose of a client or a share link. */
export function nameOption(args: Arguments): string | undefined {
  const name = textOption(args, 'name')
  if (name?.trim() === '') throw new Misuse('--name: a name has at least one character')
  if (name !== undefined && name.length > MAX_NAME)
    throw new Misuse(`--name: a name may have at most ${MAX_NAME} characters`)
  return name
}

export async function selectedScopes(store: Store, workspace: string, args: Arguments): Promise<ScopeSelection> {
  const wanted = { workspace, scopes: listOption(args, 'scope'), projects: listOption(args, 'project') }
  const selection = await selectScopes(store.database, wanted)
  if (!selection.ok) throw new CommandFailure('not_found', selection.problem)
  return selection.value
}

/** The address of a person, or one that the issuer states without verifying it; undefined without any. */
export function addressText(of: { email: string | null; unverifiedEmail?: string | undefined }): string | undefined {
  if (of.unverifiedEmail !== undefined) return `${visible(of.unverifiedEmail)} (not verified)`
  return of.email === null ? undefined : visible(of.email)
}
