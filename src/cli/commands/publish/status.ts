import { placeName } from '../../../compose/store.ts'
import { type ProjectState, projectStates, runningServices } from '../../../publishing/status.ts'
import type { Run } from '../../command.ts'
import { inStore, parseSelection, requireSelection } from '../../in-store.ts'
import type { Io } from '../../io.ts'
import { dateText } from '../../output/date.ts'
import { emptyStoreOutput } from '../../output/output.ts'
import { paint, table, visible } from '../../output/text.ts'

/** `status [workspace[/project]]` */
export const run: Run = async (args, io) => {
  const selection = parseSelection(args.operands[0])
  return inStore(args, io, async ({ store, settings, now }) => {
    await requireSelection(store, selection)
    const states = await projectStates(store, selection)
    const addresses = (await runningServices(store, now)).map(url => `served at ${url}\n`).join('')
    if (states.length === 0) return { ...emptyStoreOutput(placeName(settings)), text: addresses }
    return { json: states, text: () => table(states.map(state => rowOf(state, now, io))) + addresses }
  })
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
