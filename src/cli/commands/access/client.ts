import {
  type ClientState,
  clientStates,
  createClient,
  deleteClient,
  updateClient,
} from '../../../access/client/clients.ts'
import { isRedirectAddress } from '../../../access/client/redirect-address.ts'
import { quote } from '../../../base/text.ts'
import { auditFor, clientsOf } from '../../../compose/access.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { type Arguments, hasFlag, listOption, type Run, type Store } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { dateText } from '../../output/date.ts'
import { printJson } from '../../output/json.ts'
import { table, visible } from '../../output/text.ts'
import { requireSelection } from '../../project-ref.ts'
import { loadSettings } from '../../settings/settings.ts'
import { nameOption } from './name-option.ts'
import { selectedScopes } from './scope-options.ts'
import { lastUseText } from './validity.ts'

/** `client create <workspace>` */
export const create: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const name = nameOption(args)
  const audit = auditFor(settings, io.isTerminal)
  const redirectUris = redirectUriOptions(args)
  const created = await withExistingStore(settings, async store => {
    const { workspace, ...selection } = await selectedScopes(store, args.operands[0] ?? '', args)
    return createClient(clientsOf(store, audit), workspace, { ...selection, name, redirectUris }, store.clock.date())
  })
  if (hasFlag(args, 'json')) printJson(io, created)
  else if (created.client_secret === undefined) io.out(`client_id  ${created.client_id}\n`)
  else {
    io.out(`client_id      ${created.client_id}\nclient_secret  ${created.client_secret}\n`)
    io.err('Save the secret: it is not stored and cannot be shown again.\n')
  }
  return 0
}

/** The values of `--redirect-uri`; undefined if there are none. */
function redirectUriOptions(args: Arguments): readonly string[] | undefined {
  const uris = [...new Set(listOption(args, 'redirectUri'))]
  const wrong = uris.find(uri => !isRedirectAddress(uri))
  if (wrong !== undefined) throw new CommandFailure('usage', `--redirect-uri ${quote(wrong)}: ${REDIRECT_URI_FORMS}`)
  return uris.length > 0 ? uris : undefined
}

const REDIRECT_URI_FORMS =
  'an address begins with https://, http://127.0.0.1 or http://localhost, or with a scheme of the program that has a dot, as in com.example.notebook:/callback'

/** `client list [workspace]` */
export const list: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [workspace] = args.operands
  const { clients, now } = await withExistingStore(settings, async store => {
    if (workspace !== undefined) await requireSelection(store, { workspace })
    const all = await clientStates(store.database)
    return {
      clients: all.filter(client => workspace === undefined || client.workspace === workspace),
      now: store.clock.date(),
    }
  })
  if (hasFlag(args, 'json')) printJson(io, clients)
  else if (clients.length === 0)
    io.err(args.completeCommands('there is no client: make one with `housestyle client create <workspace>`\n'))
  else io.out(table(clients.map(client => clientRow(client, now))))
  return 0
}

function clientRow(client: ClientState, now: Date): string[] {
  const { client_id, name = '', workspace, projects, scope, redirect_uris: uris, createdAt } = client
  return [
    client_id,
    workspace,
    `since ${dateText(createdAt, now)}`,
    lastUseText(client),
    projects?.join(',') ?? 'all projects',
    scope,
    visible(name),
    ...(uris ? [visible(uris.join(' '))] : []),
  ]
}

/** `client update <id>`: replaces the name, scopes or projects that are given, and keeps the rest. */
export const update: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const id = args.operands[0] ?? ''
  const { name, hasScopes, hasProjects, isForAll } = updateOptions(args)
  const audit = auditFor(settings, io.isTerminal)
  const updated = await withExistingStore(settings, async store => {
    const { workspace } = await findClient(store, id)
    const selection = await selectedScopes(store, workspace, args)
    await updateClient(clientsOf(store, audit), id, {
      name,
      ...(hasScopes && { scopes: selection.scopes }),
      ...(hasProjects && selection.projects && { projects: selection.projects }),
      ...(isForAll && { projects: 'all' }),
    })
    return findClient(store, id)
  })
  if (hasFlag(args, 'json')) printJson(io, updated)
  else io.out(`${id}: ${updated.projects?.join(', ') ?? 'all projects'}; ${updated.scope}\n`)
  return 0
}

type UpdateOptions = { name: string | undefined; hasScopes: boolean; hasProjects: boolean; isForAll: boolean }

function updateOptions(args: Arguments): UpdateOptions {
  const name = nameOption(args)
  const hasScopes = listOption(args, 'scope').length > 0
  const hasProjects = listOption(args, 'project').length > 0
  const isForAll = hasFlag(args, 'allProjects')
  if (name === undefined && !hasScopes && !hasProjects && !isForAll)
    throw new CommandFailure('usage', 'name the change: --name, --scope, --project or --all-projects')
  if (hasProjects && isForAll) throw new CommandFailure('usage', '--project and --all-projects contradict each other')
  return { name, hasScopes, hasProjects, isForAll }
}

async function findClient({ database }: Store, id: string): Promise<ClientState> {
  const client = (await clientStates(database)).find(({ client_id }) => client_id === id)
  return client ?? failUnknown(id)
}

function failUnknown(id: string): never {
  throw new CommandFailure('client_unknown', `there is no client ${JSON.stringify(id)}: see \`housestyle client list\``)
}

/** `client delete <id>` */
export const remove: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const id = args.operands[0] ?? ''
  const audit = auditFor(settings, io.isTerminal)
  const isDeleted = await withExistingStore(settings, store =>
    deleteClient(clientsOf(store, audit), id, store.clock.date()),
  )
  if (!isDeleted) failUnknown(id)
  if (hasFlag(args, 'json')) printJson(io, { client_id: id, done: true })
  else io.out(`${id}: deleted, and its tokens with it\n`)
  return 0
}
