import { yieldIfDue } from '../../../base/steps.ts'

/** The entries of two maps that differ: changed ones as they were and as they are. */
export type Changes<Entry> = { added: Entry[]; changed: { from: Entry; to: Entry }[]; removed: Entry[] }

/** Compares the entries of two maps by their keys and their visible parts, in the order of the maps. */
export async function changesBetween<Entry>(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
  visibleParts: (entry: Entry) => string,
): Promise<Changes<Entry>> {
  const changes: Changes<Entry> = { added: [], changed: [], removed: [] }
  for (const [key, to] of after) {
    await yieldIfDue()
    const from = before.get(key)
    if (from === undefined) changes.added.push(to)
    else if (visibleParts(from) !== visibleParts(to)) changes.changed.push({ from, to })
  }
  for (const [key, from] of before) if (!after.has(key)) changes.removed.push(from)
  return changes
}
