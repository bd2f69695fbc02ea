/** How long things took, by the values of their labels, joined by spaces. */
export type Histogram = {
  /** Notes one that took so many milliseconds. */
  observe: (labels: string, milliseconds: number) => void
  rows: () => IterableIterator<[labels: string, row: HistogramRow]>
}

/** For each bound how many took at most as long as it and longer than the one before, and last those that took longer. */
type HistogramRow = { counts: Uint32Array; seconds: number }

/** Opens a histogram with these bounds in seconds, in ascending order. */
export function openHistogram(bounds: readonly number[]): Histogram {
  const rows = new Map<string, HistogramRow>()
  return {
    observe: (labels, milliseconds) => {
      let row = rows.get(labels)
      if (!row) {
        row = { counts: new Uint32Array(bounds.length + 1), seconds: 0 }
        rows.set(labels, row)
      }
      const seconds = milliseconds / 1000
      let at = 0
      while (seconds > (bounds[at] ?? Infinity)) at++
      row.counts[at] = (row.counts[at] ?? 0) + 1
      row.seconds += seconds
    },
    rows: () => rows.entries(),
  }
}
