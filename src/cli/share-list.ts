import { type ShareState, shareStates } from '../access/share/shares.ts'
import { withStore } from '../compose/store.ts'
import { isGiven, type Run } from './command.ts'
import { type Io, printJson, table } from './io.ts'
import { checkSelection, parseSelection } from './places.ts'
import { settingsOf } from './settings.ts'
import { validityText } from './validity.ts'

/** `share list [w[/p]]` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  const places = parseSelection(args.operands[0])
  const states = await withStore(settings, async store => {
    await checkSelection(store, places)
    return shareStates(store.database, places)
  })
  if (isGiven(args, 'json')) printJson(io, states)
  else if (states.length === 0) io.err('there is no share link: housestyle share <workspace/project>\n')
  else io.out(table(states.map(state => rowOf(state, io))))
  return 0
}

function rowOf(state: ShareState, io: Io): string[] {
  return [state.id, `${state.workspace}/${state.project}`, validityText(state, io)]
}
