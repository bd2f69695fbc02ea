import { clientStates, updateClient } from '../access/clients.ts'
import { clientsOf, recordFor, withStore } from '../compose.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { reachOf } from './reach.ts'
import { settingsOf } from './settings.ts'

/** `client update <id>`: what is given takes the place of what the client had. */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const id = given.operands[0] ?? ''
  const record = await recordFor(settings, io.isTerminal)
  const updated = await withStore(settings, async store => {
    const known = (await clientStates(store.database)).find(({ client_id }) => client_id === id)
    if (!known)
      throw new CommandFailure('not-found', `there is no client ${JSON.stringify(id)}: see housestyle client list`)
    const { workspace: _, ...reach } = await reachOf(store, known.workspace, given)
    await updateClient(clientsOf(store, record), id, reach)
    return (await clientStates(store.database)).find(({ client_id }) => client_id === id)
  })
  if (isGiven(given, 'json')) printJson(io, updated)
  else io.out(`${id}: ${updated?.projects?.join(', ') ?? 'all projects'}; ${updated?.scope}\n`)
  return 0
}
