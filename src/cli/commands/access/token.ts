import { issueToken } from '../../../access/token/issue.ts'
import { CLI_CLIENT } from '../../../access/token/own-issuer.ts'
import { revoke as revokeToken, type TokenState, tokenStates } from '../../../access/token/tokens.ts'
import { auditFor, tokenIssuerFor } from '../../../compose/access.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { hasFlag, type Run } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { printJson } from '../../output/json.ts'
import { table } from '../../output/text.ts'
import { requireSelection } from '../../project-ref.ts'
import { loadSettings } from '../../settings/settings.ts'
import { selectedScopes } from './scope-options.ts'
import { lastUseText, lifetimeOption, validityText } from './validity.ts'

/** `token issue <workspace>` */
export const issue: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const lifetimeSeconds = lifetimeOption(args, 'token')
  const audit = auditFor(settings, io.isTerminal)
  const issued = await withExistingStore(settings, async store => {
    const selection = await selectedScopes(store, args.operands[0] ?? '', args)
    const wanted = { ...selection, lifetimeSeconds, client: CLI_CLIENT }
    return issueToken(tokenIssuerFor(settings, store, audit), wanted, store.clock.date())
  })
  if (hasFlag(args, 'json')) printJson(io, issued)
  else io.out(`${issued.token}\n`)
  return 0
}

/** `token list [workspace]` */
export const list: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [workspace] = args.operands
  const { tokens, now } = await withExistingStore(settings, async store => {
    if (workspace !== undefined) await requireSelection(store, { workspace })
    const all = await tokenStates(store.database)
    return {
      tokens: all.filter(token => workspace === undefined || token.workspace === workspace),
      now: store.clock.date(),
    }
  })
  if (hasFlag(args, 'json')) printJson(io, tokens)
  else if (tokens.length === 0)
    io.err(args.completeCommands('no token has been issued: issue one with `housestyle token issue <workspace>`\n'))
  else io.out(table(tokens.map(token => tokenRow(token, now, io))))
  return 0
}

function tokenRow(token: TokenState, now: Date, io: Io): string[] {
  const { jti, client, workspace, scope, projects } = token
  const covered = projects?.join(',') ?? 'all projects'
  return [jti, workspace, client, validityText(token, now, io), lastUseText(token), covered, scope]
}

/** `token revoke <jti>` */
export const revoke: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const jti = args.operands[0] ?? ''
  const audit = auditFor(settings, io.isTerminal)
  const revoked = await withExistingStore(settings, store =>
    revokeToken(store.database, audit, jti, store.clock.date()),
  )
  if (!revoked)
    throw new CommandFailure(
      'token_unknown',
      `no token ${JSON.stringify(jti)} was issued: see \`housestyle token list\``,
    )
  if (hasFlag(args, 'json')) printJson(io, revoked)
  else io.out(`${jti}: revoked\n`)
  return 0
}
