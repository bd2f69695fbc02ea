/** How long things took, by a first label and the others. */
export type Histogram = {
  /** Notes one that took so many milliseconds. */
  observe: (first: string, others: string | number, milliseconds: number) => void
  rows: () => { first: string; others: string | number; row: HistogramRow }[]
}

/** For each bound how many took at most as long as it and longer than the one before, and last those that took longer. */
type HistogramRow = { counts: Uint32Array; seconds: number }

/** Opens a histogram with these bounds in seconds, in ascending order. */
export function openHistogram(bounds: readonly number[]): Histogram {
  // Two steps, since a text made of both labels would have to be hashed anew each time.
  const rows = new Map<string, Map<string | number, HistogramRow>>()
  const make = (first: string, others: string | number): HistogramRow => {
    const row = { counts: new Uint32Array(bounds.length + 1), seconds: 0 }
    const below = rows.get(first) ?? new Map<string | number, HistogramRow>()
    rows.set(first, below.set(others, row))
    return row
  }
  return {
    observe: (first, others, milliseconds) => {
      const row = rows.get(first)?.get(others) ?? make(first, others)
      const seconds = milliseconds / 1000
      let at = 0
      while (seconds > (bounds[at] ?? Infinity)) at++
      row.counts[at] = (row.counts[at] ?? 0) + 1
      row.seconds += seconds
    },
    rows: () => [...rows].flatMap(([first, below]) => Array.from(below, ([others, row]) => ({ first, others, row }))),
  }
}
