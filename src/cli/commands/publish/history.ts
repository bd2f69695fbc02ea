import { type HistoryEntry, history } from '../../../publishing/history.ts'
import { hasFlag, type Run } from '../../command.ts'
import type { Io } from '../../io.ts'
import { dateText } from '../../output/date.ts'
import { printJson } from '../../output/json.ts'
import { printNextSteps } from '../../output/next-step.ts'
import { paint, table, visible } from '../../output/text.ts'
import { withProject } from '../../with-project.ts'

/** `history <workspace/project>` */
export const run: Run = async (args, io) => {
  const { name, result, now } = await withProject(args, io, history)
  if (hasFlag(args, 'json')) printJson(io, result)
  else if (result.length === 0) {
    io.err(`${name} has not been published yet\n`)
    printNextSteps([{ command: 'publish', operands: [name] }], args, io)
  } else io.out(table(result.map(entry => rowOf(entry, now, io))))
  return 0
}

function rowOf(entry: HistoryEntry, now: Date, io: Io): string[] {
  const { revision, snapshot, publishedAt, note } = entry
  return [
    `revision ${revision}`,
    dateText(publishedAt, now),
    snapshot.slice(0, 12),
    stateOf(entry, io),
    visible(note ?? ''),
  ]
}

function stateOf({ current, retractedAt, freedAt }: HistoryEntry, io: Io): string {
  if (current) return paint(io.hasColor.out, 'green', 'served')
  return paint(io.hasColor.out, 'gray', [retractedAt && 'retracted', freedAt && 'freed'].filter(Boolean).join(', '))
}
