/** An entry, and the thing that it is a part of. */
export type Hit = { entry: number; owner: number; score: number }

/** How many things are found, and the best of them, each at its best entry. Parts of a page stand one after the other. */
export function bestHits(
  { ownerOf }: { ownerOf: (entry: number) => number },
  { scores }: { scores: Float32Array },
  max: number,
): { count: number; best: Hit[] } {
  const best: Hit[] = []
  let count = 0
  let open: Hit | undefined
  for (let entry = 0; entry < scores.length; entry++) {
    const score = scores[entry] ?? 0
    if (score === 0) continue
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

/** Inserts a hit among the best so far, best first. */
function keep(best: Hit[], hit: Hit, max: number): void {
  if (best.length === max && hit.score <= (best.at(-1)?.score ?? 0)) return
  const at = best.findIndex(({ score }) => score < hit.score)
  best.splice(at === -1 ? best.length : at, 0, hit)
  if (best.length > max) best.pop()
}
