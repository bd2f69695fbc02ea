/** Durations, by a first label and the others. */
export type Histogram = {
  /** Records a duration. */
  observe: (first: string, others: string | number, milliseconds: number) => void
  rows: () => { first: string; others: string | number; row: HistogramRow }[]
}

/** The number of durations in each bucket, the last one without an upper bound. */
type HistogramRow = { counts: Uint32Array; seconds: number }

/** Opens a histogram with these bounds in seconds, in ascending order. */
export function openHistogram(bounds: readonly number[]): Histogram {
  // Two steps, because a string made of both labels would be hashed each time.
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
