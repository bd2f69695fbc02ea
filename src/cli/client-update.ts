import { type ClientState, clientStates, updateClient } from '../access/client/clients.ts'
import { auditFor, clientsOf } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, listOption, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { type Store, scopesOf } from './reach.ts'
import { settingsOf } from './settings.ts'

/** `client update <id>`: what is args takes the place of what the client had; the rest stays. */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const id = args.operands[0] ?? ''
  const [scopes, projects] = ['scope', 'project'].map(name => listOption(args, name).length > 0)
  const isForAll = isGiven(args, 'allProjects')
  if (!scopes && !projects && !isForAll)
    throw new CommandFailure('usage', 'say what it may ask for from now on: --scope, --project or --all-projects')
  if (projects && isForAll) throw new CommandFailure('usage', '--project and --all-projects contradict each other')
  const record = await auditFor(settings, io.isTerminal)
  const updated = await withStoreAsItIs(settings, async store => {
    const { workspace } = await clientIn(store, id)
    const reach = await scopesOf(store, workspace, args)
    const named = isForAll ? ('all' as const) : reach.projects
    await updateClient(clientsOf(store, record), id, {
      ...(scopes && { scopes: reach.scopes }),
      ...(named && { projects: named }),
    })
    return clientIn(store, id)
  })
  if (isGiven(args, 'json')) printJson(io, updated)
  else io.out(`${id}: ${updated.projects?.join(', ') ?? 'all projects'}; ${updated.scope}\n`)
  return 0
}

async function clientIn({ database }: Store, id: string): Promise<ClientState> {
  const client = (await clientStates(database)).find(({ client_id }) => client_id === id)
  if (!client)
    throw new CommandFailure('client_unknown', `there is no client ${JSON.stringify(id)}: see housestyle client list`)
  return client
}
