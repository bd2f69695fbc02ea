import { keys, tokens } from '../../../access/families.ts'
import { ALGORITHMS } from '../../../access/keys/jose.ts'
import { rotateKeys } from '../../../access/keys/keys.ts'
import { issueToken } from '../../../access/token/issue.ts'
import { CLI_CLIENT } from '../../../access/token/own-issuer.ts'
import { type Run, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { dateText } from '../../output/text.ts'
import {
  endCommand,
  lastUseText,
  lifetimeOption,
  listCommand,
  selectedScopes,
  validityText,
  withAccess,
} from './family.ts'

export const issue: Run = async (args, io) => {
  const lifetimeSeconds = lifetimeOption(args, 'token')
  return withAccess(args, io, async ({ access, store, now }) => {
    const selection = await selectedScopes(store, args.operands[0] ?? '', args)
    const issued = await issueToken(access, { ...selection, lifetimeSeconds, client: CLI_CLIENT }, now)
    return { json: issued, text: `${issued.token}\n` }
  })
}

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

export const revoke = endCommand(tokens, {
  unknown: jti =>
    new CommandFailure('token_unknown', `no token ${JSON.stringify(jti)} was issued: see \`housestyle token list\``),
  done: 'revoked',
})

export const listKeys = listCommand(keys, {
  rowOf: ({ kid, algorithm, createdAt, retiredAt, signs, sealed }, now) => {
    const use = signs ? 'signs' : 'checks only'
    const state = retiredAt ? `retired ${dateText(retiredAt, now)}` : use
    return [kid, algorithm, `since ${dateText(createdAt, now)}`, state, sealed ? 'encrypted' : 'not encrypted']
  },
  none: 'there is no key yet: issuing the first token creates one',
})

export const rotateKey: Run = async (args, io) => {
  const name = textOption(args, 'algorithm')
  const algorithm = ALGORITHMS.find(each => each === name)
  if (!algorithm)
    throw new CommandFailure('usage', `--algorithm: ${JSON.stringify(name)} is not one of ${ALGORITHMS.join(', ')}`)
  return withAccess(args, io, async ({ access, now }) => {
    const key = await rotateKeys(access, algorithm, now)
    const text = `${key.kid}: signs new tokens; retire the earlier keys when their tokens have expired\n`
    return { json: key, text }
  })
}

export const retireKey = endCommand(keys, {
  unknown: kid =>
    new CommandFailure('key_unknown', `there is no key ${JSON.stringify(kid)} in use: see \`housestyle keys list\``),
  done: 'retired, and its tokens with it',
})
