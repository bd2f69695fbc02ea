import { resolve } from 'node:path'
import { parseSignin } from '../../../access/session/signin-options.ts'
import { addSignin, removeSignin, type SigninState, signinStates } from '../../../access/session/signins.ts'
import { errorMessage, OperationalError } from '../../../base/error.ts'
import { pluralize, quote } from '../../../base/text.ts'
import { auditFor } from '../../../compose/access.ts'
import { addressFor } from '../../../compose/address.ts'
import { signinsOf } from '../../../compose/signin.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { type Arguments, hasFlag, listOption, type Run, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { printJson } from '../../output/json.ts'
import { table, visible } from '../../output/text.ts'
import { requireSelection } from '../../project-ref.ts'
import { readPlainFile } from '../../settings/plain-file.ts'
import { loadSettings } from '../../settings/settings.ts'
import { nameOption } from './name-option.ts'

/** `signin add <workspace>` */
export const add: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const parsed = parseSignin({
    workspace: args.operands[0] ?? '',
    name: nameOption(args),
    issuer: textOption(args, 'issuer'),
    clientId: textOption(args, 'clientId'),
    clientSecret: clientSecretOption(args, io),
    proxyHeader: textOption(args, 'proxyHeader'),
    jwks: textOption(args, 'jwks'),
    audience: textOption(args, 'audience'),
    domains: listOption(args, 'allowDomain'),
    emails: listOption(args, 'allowEmail'),
    groups: listOption(args, 'allowGroup'),
    groupsClaim: textOption(args, 'groupsClaim') ?? '',
    drafts: hasFlag(args, 'drafts'),
  })
  if (!parsed.ok) throw new CommandFailure('usage', parsed.problem)
  const audit = auditFor(settings, io.isTerminal)
  const added = await withExistingStore(settings, store =>
    addSignin(signinsOf(settings, store, audit), parsed.value, store.clock.date()),
  )
  if (!added.ok) throw new CommandFailure('not_found', added.problem)
  const { id, workspace, issuer, clientId, hasOwnRedirect } = added.value
  if (hasFlag(args, 'json')) printJson(io, added.value)
  else {
    io.out(`${id}\n`)
    io.err(
      `People of ${visible(issuer)} may sign in to ${workspace}, until \`${args.commandLine('signin remove', [id])}\`\n`,
    )
    if (clientId !== null) {
      const test = args.commandLine('signin test', [id])
      if (hasOwnRedirect) io.err(`See the redirect address to register at the issuer: \`${test}\`\n`)
      else {
        io.err(`Register this redirect address at the issuer: ${addressFor(settings)}/-/signed-in\n`)
        io.err(`Then try it: \`${test}\`\n`)
      }
    }
  }
  return 0
}

/** The secret in the file of `--client-secret-file`, without the line break at its end. */
function clientSecretOption(args: Arguments, io: Io): string | undefined {
  const path = textOption(args, 'clientSecretFile')
  if (path === undefined) return undefined
  const secret = readSecret(resolve(io.folder, path)).replace(/\r?\n$/, '')
  if (!/^[\x20-\x7e]+$/.test(secret))
    throw new CommandFailure('usage', `--client-secret-file: ${quote(path)} does not contain one line with a secret`)
  return secret
}

function readSecret(path: string): string {
  try {
    return readPlainFile(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, cause: unknown): OperationalError {
  const message = `--client-secret-file: cannot read ${quote(path)}: ${errorMessage(cause)}`
  return new OperationalError('usage', message, { cause })
}

/** `signin list [workspace]` */
export const list: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [workspace] = args.operands
  const signins = await withExistingStore(settings, async store => {
    if (workspace !== undefined) await requireSelection(store, { workspace })
    return signinStates(store.database, workspace)
  })
  if (hasFlag(args, 'json')) printJson(io, signins)
  else if (signins.length === 0)
    io.err(args.completeCommands('no one can sign in: add an issuer with `housestyle signin add <workspace>`\n'))
  else io.out(table(signins.map(signinRow)))
  return 0
}

function signinRow(signin: SigninState): string[] {
  const { id, workspace, issuer, name = '', proxy, allowDomains, allowEmails, allowGroups, drafts } = signin
  const groups = allowGroups.map(({ group, projects }) => (projects ? `${group}=${projects.join(',')}` : group))
  const allowed = [...allowDomains.map(domain => `@${domain}`), ...allowEmails, ...groups]
  const via = proxy ? `by ${proxy.header} of ${issuer}` : issuer
  return [id, workspace, visible(via), visible(allowed.join(' ')), drafts ? 'drafts too' : '', visible(name)]
}

/** `signin remove <id>` */
export const remove: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const id = args.operands[0] ?? ''
  const audit = auditFor(settings, io.isTerminal)
  const removed = await withExistingStore(settings, store =>
    removeSignin(signinsOf(settings, store, audit), id, store.clock.date()),
  )
  if (!removed)
    throw new CommandFailure(
      'signin_unknown',
      `there are no sign-in settings ${quote(id)}: see \`housestyle signin list\``,
    )
  if (hasFlag(args, 'json')) printJson(io, { ...removed.signin, endedSessions: removed.sessions })
  else io.out(`${id}: removed; ${pluralize(removed.sessions, 'session')} ended\n`)
  return 0
}
