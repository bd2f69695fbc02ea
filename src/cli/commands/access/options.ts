import { type ScopeSelection, selectScopes } from '../../../access/client/scope-selection.ts'
import { MAX_LIFETIME_SECONDS } from '../../../access/token/issue.ts'
import { type Arguments, listOption, parseDuration, type Store, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { dateText, localText } from '../../output/date.ts'
import { paint } from '../../output/text.ts'

/** The lifetime from `--expires` in seconds, at most 366 days. */
export function lifetimeOption(args: Arguments, noun: 'token' | 'share'): number {
  const expires = textOption(args, 'expires') ?? ''
  const seconds = parseDuration(expires)
  if (seconds === undefined) {
    const message = `--expires: ${JSON.stringify(expires)} is not a duration: write 30s, 15m, 1h or 30d`
    throw new CommandFailure('usage', message)
  }
  if (seconds <= MAX_LIFETIME_SECONDS) return seconds
  const what = noun === 'share' ? 'share link' : 'token'
  throw new CommandFailure(
    'lifetime_too_long',
    `--expires: a ${what} is valid for at most 366d, and ${expires} is longer`,
  )
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
  const text = `${isOver ? 'expired' : 'until'} ${dateText(expiresAt, now)}`
  return paint(io.hasColor.out, isOver ? 'gray' : 'green', text)
}

/** The value of `--name`: the purpose of a client or a share link. */
export function nameOption(args: Arguments): string | undefined {
  const name = textOption(args, 'name')
  if (name?.trim() === '') throw new CommandFailure('usage', '--name: a name has at least one character')
  if (name !== undefined && name.length > MAX_NAME)
    throw new CommandFailure('usage', `--name: a name may have at most ${MAX_NAME} characters`)
  return name
}

const MAX_NAME = 1000

/** The scopes and projects of a workspace that `--scope` and `--project` select. Fails if one does not exist. */
export async function selectedScopes(store: Store, workspace: string, args: Arguments): Promise<ScopeSelection> {
  const wanted = { workspace, scopes: listOption(args, 'scope'), projects: listOption(args, 'project') }
  const selection = await selectScopes(store.database, wanted)
  if (!selection.ok) throw new CommandFailure('not_found', selection.problem)
  return selection.value
}
