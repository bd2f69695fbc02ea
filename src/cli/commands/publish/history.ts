import {
  type HistoryEntry,
  history,
  retract as retractRevision,
  rollback as rollBack,
} from '../../../publishing/history.ts'
import type { Run } from '../../command.ts'
import { unwrap } from '../../failure.ts'
import { onProject, parseRevision } from '../../in-store.ts'
import type { Io } from '../../io.ts'
import { dateText } from '../../output/date.ts'
import { listOutput } from '../../output/output.ts'
import { paint, visible } from '../../output/text.ts'

/** `history <workspace/project>` */
export const list: Run = (args, io) =>
  onProject(args, io, async ({ store, ref, name, now }) => {
    const entries = unwrap(await history(store, ref))
    const next = entries.length === 0 ? [{ command: 'publish', operands: [name] }] : []
    return { ...listOutput(entries, entry => rowOf(entry, now, io), `${name} has not been published yet\n`), next }
  })

function rowOf(entry: HistoryEntry, now: Date, io: Io): string[] {
  const { revision, snapshot, publishedAt, note } = entry
  return [
    `revision ${revision}`,
    dateText(publishedAt, now),
    snapshot.slice(0, 12),
    markText(entry, io),
    visible(note ?? ''),
  ]
}

function markText({ current, retractedAt, freedAt }: HistoryEntry, io: Io): string {
  if (current) return paint(io.hasColor.out, 'green', 'served')
  return paint(io.hasColor.out, 'gray', [retractedAt && 'retracted', freedAt && 'freed'].filter(Boolean).join(', '))
}

/** `rollback <workspace/project> [revision]` */
export const rollback: Run = async (args, io) => {
  const [, text] = args.operands
  const number = text === undefined ? undefined : parseRevision(text)
  return onProject(args, io, async ({ store, ref, name, now }) => {
    const result = unwrap(await rollBack(store, ref, number, now))
    const { revision, snapshot, changed } = result
    const state = changed ? `serves revision ${revision}` : `already serves that content as revision ${revision}`
    const text = `${name}: ${state} (snapshot ${snapshot.slice(0, 12)}); its draft is unchanged\n`
    return { json: [result], text }
  })
}

/** `retract <workspace/project> <revision>` */
export const retract: Run = async (args, io) => {
  const number = parseRevision(args.operands[1] ?? '')
  return onProject(args, io, async ({ store, ref, name, now }) => {
    unwrap(await retractRevision(store, ref, number, now))
    return { json: { ...ref, done: true }, text: `${name}: revision ${number} is retracted; it stays in the history\n` }
  })
}
