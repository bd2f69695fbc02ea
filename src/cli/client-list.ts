import { clientStates } from '../access/client/clients.ts'
import { withStore } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { printJson, table } from './io.ts'
import { settingsOf } from './settings.ts'

/** `client list` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const states = await withStore(settings, store => clientStates(store.database))
  if (isGiven(args, 'json')) printJson(io, states)
  else if (states.length === 0) io.err('there is no client: housestyle client create <workspace>\n')
  else
    io.out(
      table(
        states.map(({ client_id, workspace, projects, scope, createdAt }) => [
          ...[client_id, workspace, `since ${createdAt}`, projects?.join(',') ?? 'all projects', scope],
        ]),
      ),
    )
  return 0
}
