/** A matching entry, and the item that it belongs to. */
export type Hit = { entry: number; owner: number; score: number }

/**
 * The number of matching items, and the best items with their best entries, of those that are shown. Expects adjacent
 * parts for each page.
 */
export function bestHits(
  { ownerOf }: { ownerOf: (entry: number) => number },
  { scores }: { scores: Float32Array },
  max: number,
  isShown: (entry: number) => boolean = () => true,
): { count: number; best: Hit[] } {
  const best: Hit[] = []
  let count = 0
  let open: Hit | undefined
  for (let entry = 0; entry < scores.length; entry++) {
    const score = scores[entry] ?? 0
    if (score === 0 || !isShown(entry)) continue
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

/** Inserts a hit into the best hits so far, best first. */
function keep(best: Hit[], hit: Hit, max: number): void {
  if (best.length === max && hit.score <= (best.at(-1)?.score ?? 0)) return
  const at = best.findIndex(({ score }) => score < hit.score)
  best.splice(at === -1 ? best.length : at, 0, hit)
  if (best.length > max) best.pop()
}
