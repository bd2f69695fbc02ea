/** A matching entry, and the item that it belongs to. */
export type Hit = { entry: number; owner: number; score: number }

/**
 * The number of matching items, and the best items with their best entries, of those that are shown. Expects adjacent
 * parts for each page. `joined` are entries of one item in several formats, of which only the best counts.
 */
export function bestHits(
  { ownerOf }: { ownerOf: (entry: number) => number },
  { scores }: { scores: Float32Array },
  max: number,
  isShown: (entry: number) => boolean = () => true,
  joined: readonly (readonly number[])[] = [],
): { count: number; best: Hit[] } {
  const best: Hit[] = []
  const others = new Set(joined.flatMap(entries => allExceptBest(entries.filter(isShown), scores)))
  let count = 0
  let open: Hit | undefined
  for (let entry = 0; entry < scores.length; entry++) {
    const score = scores[entry] ?? 0
    if (score === 0 || !isShown(entry) || others.has(entry)) continue
    const owner = ownerOf(entry)
    if (open?.owner === owner) {
      if (score > open.score) Object.assign(open, { entry, score })
      continue
    }
    if (open) keep(best, open, max)
    open = { entry, owner, score }
    count++
  }
  if (open) keep(best, open, max)
  return { count, best }
}

/** The entries of an item that do not count. */
function allExceptBest(entries: readonly number[], scores: Float32Array): readonly number[] {
  const best = entries.reduce(
    (one, other) => ((scores[other] ?? 0) > (scores[one] ?? 0) ? other : one),
    entries[0] ?? -1,
  )
  return entries.filter(entry => entry !== best)
}

/** Inserts a hit into the best hits so far, best first. */
function keep(best: Hit[], hit: Hit, max: number): void {
  if (best.length === max && hit.score <= (best.at(-1)?.score ?? 0)) return
  const at = best.findIndex(({ score }) => score < hit.score)
  best.splice(at === -1 ? best.length : at, 0, hit)
  if (best.length > max) best.pop()
}
