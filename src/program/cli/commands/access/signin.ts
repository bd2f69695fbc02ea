import { resolve } from 'node:path'
import { isWorkspaceId } from '#brand/ids.ts'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { comparableAddress, pluralize, quote } from '#platform/base/text.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { followedSources, type SourceState } from '#publishing/git/pull/source-state.ts'
import { checkSelection } from '#publishing/project-ref.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { sessions as family, signins } from '#serving/access/families.ts'
import { parseSignin } from '#serving/access/session/signin-options.ts'
import {
  addSignin,
  endSessions,
  type NewSignin,
  type People,
  unverifiedSessions,
} from '#serving/access/session/signins.ts'
import { type SigninTest, testSignins } from '../../../compose/signin-test.ts'
import { withExistingStore, withStore } from '../../../compose/store.ts'
import {
  type Arguments,
  hasFlag,
  type Io,
  listOption,
  type Output,
  operand,
  type Run,
  type Store,
  textOption,
} from '../../command.ts'
import { CommandFailure, EXIT, Misuse } from '../../failure.ts'
import { type InStore, inStore } from '../../in-store.ts'
import { dateText, visible } from '../../output/text.ts'
import { serviceAddress } from '../../service-address.ts'
import { readPlainFile } from '../../settings.ts'
import { addressText, endCommand, listCommand, nameOption, withAccess } from './family.ts'

export const add: Run = async (args, io) => {
  const parsed = parseSignin({
    workspace: operand(args, 0),
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
    managers: listOption(args, 'manageGroup'),
    editors: listOption(args, 'editGroup'),
    groupsClaim: textOption(args, 'groupsClaim') ?? '',
    drafts: hasFlag(args, 'drafts'),
    manage: hasFlag(args, 'manage'),
    edit: hasFlag(args, 'edit'),
  })
  if (!parsed.ok) throw new Misuse(parsed.problem)
  return withAccess(args, io, opened => addParsed(args, parsed.value, opened), openFollowed)
}

type Opened = InStore & { access: AccessContext }

async function addParsed(args: Arguments, parsed: NewSignin, { access, ...opened }: Opened): Promise<Output> {
  const { store, settings, now } = opened
  const { workspace } = parsed
  const sources = await followedSources(store.database, settings.git)
  const added = await addSignin(access, parsed, now, sources.some(mayBring(workspace)))
  if (!added.ok) throw new CommandFailure('not_found', added.problem)
  const { id, issuer, name, clientId, hasOwnRedirect } = added.value
  const workspaceSignins = await signins.states(store.database, { workspace })
  const unnamed = workspaceSignins.filter(each => each.clientId !== null && !each.name)
  const test = `\`housestyle signin test ${id}\``
  const service = await serviceAddress(store, args, settings)
  const redirectNote = hasOwnRedirect
    ? `See the redirect address to register at the issuer: ${test}\n`
    : `Register this redirect address at the issuer: ${service}/-/signed-in\nThen try it: ${test}\n`
  const existing = await checkSelection(store.database, { workspace })
  const note = `People of ${visible(issuer)} may sign in to ${workspace}, until \`housestyle signin remove ${id}\`\n`
  const missingNote = existing.ok
    ? ''
    : `There is no workspace ${workspace} yet: the followed repository must bring it\n`
  const nameAdvice = name === undefined && unnamed.length > 1 ? UNNAMED : ''
  // Without a client id, a proxy signs people in: there is no address to register, and no button with a name.
  const issuerNotes = clientId === null ? '' : redirectNote + nameAdvice
  return { json: added.value, text: `${id}\n`, note: note + missingNote + issuerNotes }
}

/** Opens the existing store; a new one if the settings follow a repository, which has not been pulled yet. */
function openFollowed<Value>(settings: Settings, work: (store: Store) => Promise<Value>): Promise<Value> {
  return settings.git.length > 0 ? withStore(settings, work) : withExistingStore(settings, work)
}

/** Whether a followed repository may bring a workspace: it has this id, or is not known because nothing was imported. */
function mayBring(workspace: string): (source: SourceState) => boolean {
  return source =>
    isWorkspaceId(workspace) && (source.workspace === workspace || (source.workspace === null && !source.commit))
}

const UNNAMED =
  'Another issuer of this workspace has no name, so people choose between numbers: add them with `--name`\n'

/** The secret in the file of `--client-secret-file`, without the line break at its end. */
function clientSecretOption(args: Arguments, io: Io): string | undefined {
  const path = textOption(args, 'clientSecretFile')
  if (path === undefined) return undefined
  const secret = readSecret(resolve(io.folder, path)).replace(/\r?\n$/, '')
  if (!/^[\x20-\x7e]+$/.test(secret))
    throw new Misuse(`--client-secret-file: ${quote(path)} does not contain one line with a secret`)
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

export const list = listCommand(signins, {
  rowOf: ({ id, workspace, issuer, name = '', proxy, allowDomains, allowEmails, ...rest }) => {
    const allowed = [
      ...allowDomains.map(domain => `@${domain}`),
      ...allowEmails,
      ...rest.allowGroups.map(each => groupText(each)),
      ...rest.manageGroups.map(each => groupText(each, ' (manage)')),
      ...rest.editGroups.map(each => groupText(each, ' (edit)')),
    ]
    const via = proxy ? `by ${proxy.header} of ${issuer}` : issuer
    return [id, workspace, visible(via), visible(allowed.join(' ')), rightsText(rest), visible(name)]
  },
  none: 'no one can sign in: add an issuer with `housestyle signin add <workspace>`',
})

/** `designers (edit)=acme/guidelines`: a group, its right, and its projects if it has not all. */
function groupText({ group, projects }: { group: string; projects: readonly string[] | null }, right = ''): string {
  return projects ? `${group}${right}=${projects.join(',')}` : `${group}${right}`
}

/** `manages, edits`, or `drafts too`, which both include. */
function rightsText({ drafts, manage, edit }: { drafts: boolean; manage: boolean; edit: boolean }): string {
  const rights = [...(manage ? ['manages'] : []), ...(edit ? ['edits'] : [])]
  return rights.join(', ') || (drafts ? 'drafts too' : '')
}

export const remove: Run = (args, io) => {
  const keepsLinks = hasFlag(args, 'keepLinks')
  const end: typeof signins.end = (access, id, now) => signins.end(access, id, now, { keepsLinks })
  return endCommand(
    { end },
    {
      unknown: id =>
        new CommandFailure(
          'signin_unknown',
          `there are no sign-in settings ${quote(id)}: see \`housestyle signin list\``,
        ),
      done: ({ endedSessions, endedLinks }) =>
        `removed; ${pluralize(endedSessions, 'session')} ended${linksText(endedLinks)}`,
    },
  )(args, io)
}

/** The number of share links that ended with the access of the people who made them. */
function linksText(links: number): string {
  return links === 0 ? '' : `, and ${pluralize(links, 'share link')} that they made`
}

export const test: Run = (args, io) =>
  inStore(args, io, async ({ store, settings }) => {
    const named = operand(args, 0)
    const results = await testSignins(settings, store, {
      named,
      publicUrl: await serviceAddress(store, args, settings),
    })
    if (results.length === 0)
      throw new CommandFailure(
        'signin_unknown',
        `there are no sign-in settings for ${quote(named)}: see \`housestyle signin list\``,
      )
    const hasProblem = results.some(({ problem }) => problem !== null)
    return { json: results, text: results.map(testReport).join(''), exitCode: hasProblem ? EXIT.failed : EXIT.done }
  })

function testReport({ id, workspace, issuer, problem, redirectUri, signoutUri, notes }: SigninTest): string {
  const lines = [
    `${id}  ${workspace}  ${visible(issuer)}`,
    problem === null ? '  works' : `  fails: ${visible(problem)}`,
    redirectUri === null ? '' : `  redirect address to register:  ${redirectUri}`,
    signoutUri === null ? '' : `  address after signing out:     ${signoutUri}`,
    ...notes.map(note => `  note: ${note}`),
  ]
  return lines.map(line => line && `${line}\n`).join('')
}

export const sessions = listCommand(family, {
  rowOf: ({ id, name, projects, drafts, manages, edits, expiresAt, ...addresses }, now) => [
    id,
    addressText(addresses) ?? '',
    visible(name ?? ''),
    projects?.join(',') ?? 'all projects',
    rightsText({ drafts, manage: manages.length > 0, edit: edits.length > 0 }),
    `until ${dateText(expiresAt, now)}`,
  ],
  none: ({ workspace }) => `no one is signed in to ${workspace}`,
})

export const end: Run = async (args, io) => {
  const people = peopleOption(args)
  return withAccess(args, io, async ({ access, now }) => {
    const keepsLinks = hasFlag(args, 'keepLinks')
    const { sessions, connections, links } = await endSessions(access, people, now, { keepsLinks })
    const others = await unverifiedSessions(access.database, people, now)
    if (people !== 'all' && sessions + connections + links + others.length === 0)
      throw new CommandFailure(
        'session_unknown',
        `${quote(operand(args, 0))} is not signed in: see \`housestyle signin sessions <workspace>\``,
      )
    return {
      json: { endedSessions: sessions, endedConnections: connections, ...(links > 0 && { endedLinks: links }) },
      text: `${pluralize(sessions, 'session')} and ${pluralize(connections, 'connection')} ended${linksText(links)}\n`,
      ...(others.length > 0 && {
        note: `The address is not verified in other sessions, which continue. End each of them: ${others.map(id => `\`housestyle signin end ${id}\``).join(', ')}\n`,
        exitCode: EXIT.failed,
      }),
    }
  })
}

function peopleOption(args: Arguments): People {
  const [person] = args.operands
  if (hasFlag(args, 'all') === (person !== undefined))
    throw new Misuse('name a person by e-mail address or session id, or give --all')
  if (person === undefined) return 'all'
  return person.includes('@') ? { email: comparableAddress(person) } : { id: person }
}
