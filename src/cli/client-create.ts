import { createClient } from '../access/clients.ts'
import { clientsOf, recordFor } from '../compose/access.ts'
import { withStoreAsItIs } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { printJson } from './io.ts'
import { reachOf } from './reach.ts'
import { settingsOf } from './settings.ts'

/** `client create <workspace>` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const record = await recordFor(settings, io.isTerminal)
  const created = await withStoreAsItIs(settings, async store => {
    const { workspace, ...reach } = await reachOf(store, given.operands[0] ?? '', given)
    return createClient(clientsOf(store, record), workspace, reach, new Date())
  })
  if (isGiven(given, 'json')) printJson(io, created)
  else io.out(`client_id      ${created.client_id}\nclient_secret  ${created.client_secret}\n`)
  if (!isGiven(given, 'json')) io.err('The secret is not kept and cannot be shown again.\n')
  return 0
}
