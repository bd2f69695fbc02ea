/** A measured figure and its bound. */
export type Figure = {
  name: string
  value: number
  unit: 'MB' | 'ratio' | 'count' | 'ms'
  bound: { atMost: number } | { atLeast: number }
  /** Anything that helps to judge the figure, such as noise on the machine. */
  note?: string
}

/** The packed program, a temporary folder, and the servers to stop at the end. */
export type Bench = { bin: string; folder: string; started: AsyncDisposableStack }

/** The function that each benchmark exports. */
export type Measure = (bench: Bench) => AsyncGenerator<Figure>

/** The middle value; the lower of two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? Number.NaN
}
