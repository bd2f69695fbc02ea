import type { Report } from './report.ts'

/** Lines for a person: the counts, and the first row of each kind. */
export function summaryLines(report: Report): string[] {
  const { placed, merged, leftOut, converted, lost, guessed } = report
  const first = <Row>(name: string, rows: readonly Row[], text: (row: Row) => string) =>
    rows[0] === undefined ? [] : [`${rows.length} ${name}, such as ${text(rows[0])}`]
  return [
    ...first('placed', placed, ({ from, to }) => `${from} in ${to}`),
    ...first('merged', merged, ({ from, into }) => `${from} into ${into}`),
    ...first('left out', leftOut, ({ path, reason }) => `${path}: ${reason}`),
    ...first('converted', converted, ({ path, line, what, became }) => `${path}:${line} ${what}: ${became}`),
    ...first('lost', lost, ({ path, line, what, text }) => `${path}:${line} ${what}: ${text}`),
    ...first('guessed', guessed, ({ path, key, value, why }) => `${path} ${key}: ${value} (${why})`),
  ]
}

/** The report as `_adopted.md`, to be worked off from top to bottom. */
export function adoptedMarkdown(report: Report): string {
  return `# What became of the source\n\n${summaryLines(report)
    .map(line => `- ${line}\n`)
    .join('')}`
}
