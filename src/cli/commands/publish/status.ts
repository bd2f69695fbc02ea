import { placeName, withExistingStore } from '../../../compose/store.ts'
import { runningServices } from '../../../publishing/running-services.ts'
import { type ProjectState, projectStates } from '../../../publishing/status.ts'
import { hasFlag, type Run } from '../../command.ts'
import type { Io } from '../../io.ts'
import { dateText } from '../../output/date.ts'
import { printJson } from '../../output/json.ts'
import { printEmptyStore } from '../../output/next-step.ts'
import { paint, table, visible } from '../../output/text.ts'
import { parseSelection, requireSelection } from '../../project-ref.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `status [workspace[/project]]` */
export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const selection = parseSelection(args.operands[0])
  const { states, urls, now } = await withExistingStore(settings, async store => {
    await requireSelection(store, selection)
    const now = store.clock.date()
    return { states: await projectStates(store, selection), urls: await runningServices(store, now), now }
  })
  if (hasFlag(args, 'json')) printJson(io, states)
  else if (states.length === 0) printEmptyStore(placeName(settings), args, io)
  else io.out(table(states.map(state => rowOf(state, now, io))))
  if (!hasFlag(args, 'json')) for (const url of urls) io.out(`served at ${url}\n`)
  return 0
}

function rowOf({ workspace, project, status, revision, publishedAt, name }: ProjectState, now: Date, io: Io): string[] {
  return [
    `${workspace}/${project}`,
    paint(io.hasColor.out, STYLES[status] ?? 'gray', status),
    revision === null ? '-' : `revision ${revision}`,
    publishedAt === null ? 'not published' : `published ${dateText(publishedAt, now)}`,
    visible(name),
  ]
}

const STYLES: Readonly<Record<string, 'green' | 'yellow'>> = { UpToDate: 'green', Changed: 'yellow' }
