import { type TokenState, tokenStates } from '../access/token/tokens.ts'
import { withStore } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { type Io, printJson, table } from './io.ts'
import { settingsOf } from './settings.ts'
import { validityText } from './validity.ts'

/** `token list` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const states = await withStore(settings, store => tokenStates(store.database))
  if (isGiven(args, 'json')) printJson(io, states)
  else if (states.length === 0) io.err('no token has been issued: housestyle token issue <workspace>\n')
  else io.out(table(states.map(state => rowOf(state, io))))
  return 0
}

function rowOf(state: TokenState, io: Io): string[] {
  const { jti, client, workspace, scope, projects } = state
  return [jti, workspace, client, validityText(state, io), projects?.join(',') ?? 'all projects', scope]
}
