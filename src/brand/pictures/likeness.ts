import type { Silhouette } from './silhouette.ts'

/** How much of the ink of two pictures is in the same places, from 0 to 1; 0 if their proportions are too different. */
export function likenessOf(one: Silhouette, other: Silhouette): number {
  // One is more than 2.5 times as wide, in proportion to its height, as the other.
  if (Math.abs(Math.log(one.ratio / other.ratio)) > Math.log(2.5)) return 0
  let both = 0
  let either = 0
  // Each cell is red, green, blue and the amount of ink.
  for (let at = 3; at < one.cells.length; at += 4) {
    const inkOfOne = one.cells[at] ?? 0
    const inkOfOther = other.cells[at] ?? 0
    both += Math.min(inkOfOne, inkOfOther)
    either += Math.max(inkOfOne, inkOfOther)
  }
  return both / either
}

/** How far the mean colours of the ink of two pictures are apart, from 0 to 255. */
export function colorDistance(one: Silhouette, other: Silhouette): number {
  const [mean, others] = [meanInk(one), meanInk(other)]
  return Math.max(...mean.map((value, at) => Math.abs(value - (others[at] ?? 0))))
}

/** The mean colour of the ink: red, green and blue. */
function meanInk({ cells }: Silhouette): number[] {
  const sums = [0, 0, 0]
  let all = 0
  for (let at = 0; at < cells.length; at += 4) {
    const ink = cells[at + 3] ?? 0
    all += ink
    for (const channel of sums.keys()) sums[channel] = (sums[channel] ?? 0) + ink * (cells[at + channel] ?? 0)
  }
  return sums.map(sum => sum / all)
}
