import { createClient } from '../access/client/clients.ts'
import { auditFor, clientsOf } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { scopesOf } from './reach.ts'
import { settingsOf } from './settings.ts'

/** `client create <workspace>` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const record = await auditFor(settings, io.isTerminal)
  const created = await withStoreAsItIs(settings, async store => {
    const { workspace, ...reach } = await scopesOf(store, args.operands[0] ?? '', args)
    return createClient(clientsOf(store, record), workspace, reach, new Date())
  })
  if (isGiven(args, 'json')) printJson(io, created)
  else io.out(`client_id      ${created.client_id}\nclient_secret  ${created.client_secret}\n`)
  if (!isGiven(args, 'json')) io.err('The secret is not kept and cannot be shown again.\n')
  return 0
}
