import { type TokenState, tokenStates } from '../access/tokens.ts'
import { withStore } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { type Io, paint, printJson, table } from './io.ts'
import { settingsOf } from './settings.ts'

/** `token list` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const states = await withStore(settings, store => tokenStates(store.database))
  if (isGiven(given, 'json')) printJson(io, states)
  else if (states.length === 0) io.err('no token has been issued: housestyle token issue <workspace>\n')
  else io.out(table(states.map(state => rowOf(state, io))))
  return 0
}

function rowOf({ jti, client, workspace, scope, projects, expiresAt, revokedAt }: TokenState, io: Io): string[] {
  const isExpired = new Date(expiresAt) <= new Date()
  const state = revokedAt ? `revoked ${revokedAt}` : isExpired ? `expired ${expiresAt}` : `until ${expiresAt}`
  const style = revokedAt || isExpired ? 'gray' : 'green'
  return [jti, workspace, client, paint(io.hasColor.out, style, state), projects?.join(',') ?? 'all projects', scope]
}
