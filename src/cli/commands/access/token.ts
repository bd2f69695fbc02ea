import { tokens } from '../../../access/families.ts'
import { issueToken } from '../../../access/token/issue.ts'
import { CLI_CLIENT } from '../../../access/token/own-issuer.ts'
import type { Run } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import {
  endCommand,
  lastUseText,
  lifetimeOption,
  listCommand,
  selectedScopes,
  validityText,
  withAccess,
} from './family.ts'

/** `token issue <workspace>` */
export const issue: Run = async (args, io) => {
  const lifetimeSeconds = lifetimeOption(args, 'token')
  return withAccess(args, io, async ({ access, store, now }) => {
    const selection = await selectedScopes(store, args.operands[0] ?? '', args)
    const issued = await issueToken(access, { ...selection, lifetimeSeconds, client: CLI_CLIENT }, now)
    return { json: issued, text: `${issued.token}\n` }
  })
}

/** `token list [workspace]` */
export const list = listCommand(tokens, {
  rowOf: (token, now, io) => [
    token.jti,
    token.workspace,
    token.client,
    validityText(token, now, io),
    lastUseText(token),
    token.projects?.join(',') ?? 'all projects',
    token.scope,
  ],
  none: 'no token has been issued: issue one with `housestyle token issue <workspace>`',
})

/** `token revoke <jti>` */
export const revoke = endCommand(tokens, {
  unknown: jti =>
    new CommandFailure('token_unknown', `no token ${JSON.stringify(jti)} was issued: see \`housestyle token list\``),
  done: 'revoked',
})
