import { quote } from '../brand/quote.ts'
import { withStore } from '../compose.ts'
import { hasWorkspace, type ProjectState, projectStates } from '../publishing/status.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { type Io, paint, printJson, visible } from './io.ts'
import { parsePlace } from './place.ts'
import { settingsOf } from './settings.ts'

/** `status [w[/p]]` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const [text] = given.operands
  const place = text === undefined ? {} : text.includes('/') ? parsePlace(text) : { workspace: text }
  const states = await withStore(settings, async store => {
    const found = await projectStates(store, place)
    const isKnown =
      'project' in place
        ? found.length > 0
        : place.workspace === undefined || (await hasWorkspace(store, place.workspace))
    if (!isKnown)
      throw new CommandFailure(
        'not-found',
        `there is no ${'project' in place ? 'project' : 'workspace'} ${quote(text ?? '')}`,
      )
    return found
  })
  if (isGiven(given, 'json')) printJson(io, states)
  else if (states.length === 0) io.err('the store holds no project yet: housestyle import <folder>\n')
  else io.out(table(states, io))
  return 0
}

function table(states: readonly ProjectState[], io: Io): string {
  const rows = states.map(state => [
    `${state.workspace}/${state.project}`,
    state.status,
    state.revision === null ? '-' : `revision ${state.revision}`,
    state.publishedAt === null ? 'not published' : `published ${state.publishedAt}`,
    visible(state.name),
  ])
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  const pad = (row: readonly string[]) =>
    row.map((cell, column) =>
      paintStatus(cell.padEnd(column === row.length - 1 ? 0 : (widths[column] ?? 0)), column, io),
    )
  return rows.map(row => `${pad(row).join('  ')}\n`).join('')
}

function paintStatus(cell: string, column: number, io: Io): string {
  if (column !== 1) return cell
  return paint(
    io.hasColor.out,
    cell.startsWith('UpToDate') ? 'green' : cell.startsWith('Changed') ? 'yellow' : 'gray',
    cell,
  )
}
