import { readAll } from '#platform/base/bytes.ts'
import { ok } from '#platform/base/result.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { runningServices } from '#publishing/status.ts'
import { keys, tokens } from '#serving/access/families.ts'
import { ALGORITHMS } from '#serving/access/keys/jose.ts'
import { rotateKeys } from '#serving/access/keys/keys.ts'
import { issueToken } from '#serving/access/token/issue.ts'
import { CLI_CLIENT } from '#serving/access/token/own-issuer.ts'
import { isTokenId, readIssued, revokeIssued } from '#serving/access/token/revoke.ts'
import { type Io, inputOf, operand, type Run, textOption } from '../../command.ts'
import { CommandFailure, Misuse, unknownItem } from '../../failure.ts'
import { printWarning } from '../../output/output.ts'
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
  return withAccess(args, io, async ({ access, store, settings, now }) => {
    const selection = await selectedScopes(store, operand(args, 0), args)
    const issued = await issueToken(access, { ...selection, lifetimeSeconds, client: CLI_CLIENT }, now)
    const services = await runningServices(store, now)
    // Only if no running service accepts the token, and there is one.
    const [refusingService] = services.every(url => isRefusedAt(url, settings)) ? services : []
    if (refusingService !== undefined)
      printWarning(`${refusingService} refuses this token: issue it with --public-url`, args, io)
    return { json: issued, text: `${issued.token}\n` }
  })
}

/**
 * Whether a running service surely refuses tokens that are issued for this public URL. Tokens that are issued without one
 * are refused by a service with one, which its address only shows if it is https.
 */
function isRefusedAt(service: string, { publicUrl }: Settings): boolean {
  return publicUrl === undefined ? service.startsWith('https:') : service !== publicUrl
}

export const list = listCommand(tokens, {
  rowOf: (token, now, io) => [
    token.jti,
    token.workspace || 'unknown',
    token.client || 'unknown',
    validityText(token, now, io),
    lastUseText(token),
    token.projects?.join(',') ?? 'all projects',
    token.scope,
  ],
  none: 'no token has been issued: issue one with `housestyle token issue <workspace>`',
})

export const revoke: Run = async (args, io) => {
  const [idOrDash = ''] = args.operands
  const input = idOrDash === '-' ? await readInput(io) : undefined
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(idOrDash)) throw new Misuse(WHOLE_TOKEN)
  if (input === undefined && !isTokenId(idOrDash)) throw new Misuse(NO_ID)
  return withAccess(args, io, async ({ access, now }) => {
    const issued = input === undefined ? ok({ jti: idOrDash }) : await readIssued(access, input)
    if (!issued.ok) throw new CommandFailure('token_unknown', `cannot revoke the token: it ${issued.problem}`)
    const revoked = await revokeIssued(access, issued.value, now)
    if (!revoked) throw new CommandFailure('token_unknown', TOO_MANY)
    const until = dateText(revoked.expiresAt, now)
    // An id that the store did not have is recorded, so that the token is refused if it appears.
    const recordedText = `recorded, and refused until ${until}; this store did not have the token`
    return { json: revoked, text: `${revoked.jti}: ${revoked.recorded ? recordedText : 'revoked'}\n` }
  })
}

const NO_ID = 'the id of a token has at most 255 characters and no spaces: see `housestyle token list`'
const WHOLE_TOKEN =
  'a whole token does not belong on a command line, which others can read: give it on stdin to `housestyle token revoke -`'
const TOO_MANY =
  'cannot record the id: 10,000 ids of tokens that this store did not have are recorded already; end all tokens of a key with `housestyle keys rotate` and `housestyle keys retire <kid>`'

/** The token on stdin, which may be the value of an `Authorization` field. */
async function readInput(io: Io): Promise<string> {
  const bytes = await readAll(inputOf(io), MAX_INPUT, () => new Misuse('stdin has more than one token: give one'))
  return bytes
    .toString('latin1')
    .trim()
    .replace(/^Bearer +/i, '')
}

const MAX_INPUT = 64 << 10

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
  if (!algorithm) throw new Misuse(`--algorithm: ${JSON.stringify(name)} is not one of ${ALGORITHMS.join(', ')}`)
  return withAccess(args, io, async ({ access, now }) => {
    const key = await rotateKeys(access, algorithm, now)
    const text = `${key.kid}: signs new tokens; retire the earlier keys when their tokens have expired\n`
    return { json: key, text }
  })
}

export const retireKey = endCommand(keys, {
  unknown: kid => unknownItem('key_unknown', `key ${JSON.stringify(kid)} in use`, 'keys list'),
  done: 'retired, and its tokens with it',
})
