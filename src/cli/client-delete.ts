import { deleteClient } from '../access/client/clients.ts'
import { auditFor, clientsOf } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson } from './io.ts'
import { settingsOf } from './settings.ts'

/** `client delete <id>` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const id = args.operands[0] ?? ''
  const record = await auditFor(settings, io.isTerminal)
  const isDeleted = await withStoreAsItIs(settings, store => deleteClient(clientsOf(store, record), id, new Date()))
  if (!isDeleted)
    throw new CommandFailure('client_unknown', `there is no client ${JSON.stringify(id)}: see housestyle client list`)
  if (isGiven(args, 'json')) printJson(io, { client_id: id, done: true })
  else io.out(`${id}: deleted, and its tokens with it\n`)
  return 0
}
