import { quote } from '../brand/quote.ts'
import { withStore } from '../compose.ts'
import { hasWorkspace, type ProjectState, projectStates } from '../publishing/status.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { type Io, paint, printJson, table, visible } from './io.ts'
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
  else io.out(table(states.map(state => rowOf(state, io))))
  return 0
}

function rowOf({ workspace, project, status, revision, publishedAt, name }: ProjectState, io: Io): string[] {
  const style = status === 'UpToDate' ? 'green' : status === 'Changed' ? 'yellow' : 'gray'
  return [
    `${workspace}/${project}`,
    paint(io.hasColor.out, style, status),
    revision === null ? '-' : `revision ${revision}`,
    publishedAt === null ? 'not published' : `published ${publishedAt}`,
    visible(name),
  ]
}
