import { lowerScheme, withoutCredentials } from '#platform/base/server-url.ts'
import { quote } from '#platform/base/text.ts'
import { createClient, isRedirectAddress, updateClient } from '#serving/access/client/clients.ts'
import { clients, connections } from '#serving/access/families.ts'
import { findClient } from '#store/access/clients.ts'
import { type Arguments, hasFlag, listOption, operand, type Run } from '../../command.ts'
import { type CommandFailure, Misuse, unknownItem } from '../../failure.ts'
import { dateText, visible } from '../../output/text.ts'
import { addressText, endCommand, lastUseText, listCommand, nameOption, selectedScopes, withAccess } from './family.ts'

export const create: Run = async (args, io) => {
  const name = nameOption(args)
  const redirectUris = redirectUriOptions(args)
  return withAccess(args, io, async ({ access, store, now }) => {
    const { workspace, ...selection } = await selectedScopes(store, operand(args, 0), args)
    const created = await createClient(access, workspace, { ...selection, name, redirectUris }, now)
    const { client_id, client_secret } = created
    if (client_secret === undefined) return { json: created, text: `client_id  ${client_id}\n` }
    return {
      json: created,
      text: `client_id      ${client_id}\nclient_secret  ${client_secret}\n`,
      note: 'Save the secret: it is not stored and cannot be shown again.\n',
    }
  })
}

function redirectUriOptions(args: Arguments): readonly string[] | undefined {
  const uris = [...new Set(listOption(args, 'redirectUri').map(lowerScheme))]
  const wrong = uris.find(uri => !isRedirectAddress(uri))
  if (wrong !== undefined) throw new Misuse(`--redirect-uri ${quote(withoutCredentials(wrong))}: ${REDIRECT_URI_FORMS}`)
  return uris.length > 0 ? uris : undefined
}

const REDIRECT_URI_FORMS =
  'an address begins with https://, http://127.0.0.1 or http://localhost, or with a scheme of the program that has a dot, as in com.example.notebook:/callback'

export const list = listCommand(clients, {
  rowOf: (client, now) => [
    client.client_id,
    client.workspace,
    `since ${dateText(client.createdAt, now)}`,
    lastUseText(client),
    client.projects?.join(',') ?? 'all projects',
    client.scope,
    visible(client.name ?? ''),
    visible(client.redirect_uris?.join(' ') ?? ''),
  ],
  none: 'there is no client: make one with `housestyle client create <workspace>`',
})

export const update: Run = async (args, io) => {
  const id = operand(args, 0)
  const name = nameOption(args)
  const hasScopes = listOption(args, 'scope').length > 0
  const hasProjects = listOption(args, 'project').length > 0
  const isForAll = hasFlag(args, 'allProjects')
  if (name === undefined && !hasScopes && !hasProjects && !isForAll)
    throw new Misuse('name the change: --name, --scope, --project or --all-projects')
  if (hasProjects && isForAll) throw new Misuse('--project and --all-projects contradict each other')
  return withAccess(args, io, async ({ access, store }) => {
    const client = await findClient(store.database, id)
    if (!client) throw unknownClient(id)
    const { scopes, projects } = await selectedScopes(store, client.workspace, args)
    const updated = await updateClient(access, id, {
      name,
      scopes: hasScopes ? scopes : undefined,
      projects: isForAll ? 'all' : hasProjects ? projects : undefined,
    })
    if (!updated) throw unknownClient(id)
    return { json: updated, text: `${id}: ${updated.projects?.join(', ') ?? 'all projects'}; ${updated.scope}\n` }
  })
}

export const remove = endCommand(clients, { unknown: unknownClient, done: 'deleted, and its tokens with it' })

function unknownClient(id: string): CommandFailure {
  return unknownItem('client_unknown', `client ${JSON.stringify(id)}`, 'client list')
}

export const listConnections = listCommand(connections, {
  rowOf: ({ id, client, name, share, projects, expiresAt, lastUsedAt, ...addresses }, now) => [
    id,
    visible(name === undefined ? client : `${name} (${client})`),
    addressText(addresses) ?? (share === null ? 'a person' : visible(`share link ${share}`)),
    projects?.join(',') ?? 'all projects',
    `until ${dateText(expiresAt, now)}`,
    lastUsedAt === null ? 'never used' : `used ${dateText(lastUsedAt, now)}`,
  ],
  none: 'there is no connection: a person makes one by connecting a program to an address for agents',
})

export const endConnection = endCommand(connections, {
  unknown: id => unknownItem('connection_unknown', `live connection ${quote(id)}`, 'connection list'),
  done: 'ended, and its tokens with it',
})
