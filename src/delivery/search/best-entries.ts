/** A matching entry, and the item that it belongs to, both by number. */
export type Hit = { entry: number; owner: number; score: number }

/**
 * The number of matching items, and the best of them, each with its best entry. Expects the entries of an item in a row.
 * Entries that are not shown do not count. `joined` are groups of entries for one item in several formats, such as a logo as
 * SVG and PNG; of each group, only the best entry counts.
 */
export function bestHits(
  { ownerOf }: { ownerOf: (entry: number) => number },
  { scores }: { scores: Float32Array },
  max: number,
  isShown: (entry: number) => boolean = () => true,
  joined: readonly (readonly number[])[] = [],
): { count: number; best: Hit[] } {
  const best: Hit[] = []
  const otherFormats = new Set(joined.flatMap(entries => allExceptBest(entries.filter(isShown), scores)))
  let count = 0
  // The best entry so far of the item at hand, which is kept when the next item begins.
  let current: Hit | undefined
  for (let entry = 0; entry < scores.length; entry++) {
    const score = scores[entry] ?? 0
    if (score === 0 || !isShown(entry) || otherFormats.has(entry)) continue
    const owner = ownerOf(entry)
    if (current?.owner === owner) {
      if (score > current.score) Object.assign(current, { entry, score })
      continue
    }
    if (current) keep(best, current, max)
    current = { entry, owner, score }
    count++
  }
  if (current) keep(best, current, max)
  return { count, best }
}

/** The entries of a group except the one with the highest score; of equal ones, the first is the best. */
function allExceptBest(entries: readonly number[], scores: Float32Array): readonly number[] {
  const best = entries.reduce(
    (one, other) => ((scores[other] ?? 0) > (scores[one] ?? 0) ? other : one),
    entries[0] ?? -1,
  )
  return entries.filter(entry => entry !== best)
}

/** Inserts a hit into the best hits so far, best first and at most `max`; behind hits with the same score. */
function keep(best: Hit[], hit: Hit, max: number): void {
  if (best.length === max && hit.score <= (best.at(-1)?.score ?? 0)) return
  const at = best.findIndex(({ score }) => score < hit.score)
  best.splice(at === -1 ? best.length : at, 0, hit)
  if (best.length > max) best.pop()
}
