import { type ClientState, clientStates, updateClient } from '../access/clients.ts'
import { clientsOf, recordFor } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, listOption, type Run } from './command.ts'
import { CommandFailure, UsageFailure } from './failure.ts'
import { printJson } from './io.ts'
import { reachOf, type Store } from './reach.ts'
import { settingsOf } from './settings.ts'

/** `client update <id>`: what is given takes the place of what the client had; the rest stays. */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const id = given.operands[0] ?? ''
  const [scopes, projects] = ['scope', 'project'].map(name => listOption(given, name).length > 0)
  const isForAll = isGiven(given, 'allProjects')
  if (!scopes && !projects && !isForAll)
    throw new UsageFailure('say what it may ask for from now on: --scope, --project or --all-projects')
  if (projects && isForAll) throw new UsageFailure('--project and --all-projects contradict each other')
  const record = await recordFor(settings, io.isTerminal)
  const updated = await withStoreAsItIs(settings, async store => {
    const { workspace } = await clientIn(store, id)
    const reach = await reachOf(store, workspace, given)
    const named = isForAll ? ('all' as const) : reach.projects
    await updateClient(clientsOf(store, record), id, {
      ...(scopes && { scopes: reach.scopes }),
      ...(named && { projects: named }),
    })
    return clientIn(store, id)
  })
  if (isGiven(given, 'json')) printJson(io, updated)
  else io.out(`${id}: ${updated.projects?.join(', ') ?? 'all projects'}; ${updated.scope}\n`)
  return 0
}

async function clientIn({ database }: Store, id: string): Promise<ClientState> {
  const client = (await clientStates(database)).find(({ client_id }) => client_id === id)
  if (!client)
    throw new CommandFailure('not-found', `there is no client ${JSON.stringify(id)}: see housestyle client list`)
  return client
}
