import { type Queries, type Row, textOf } from '../store/database/database.ts'
import type { Problem } from './problem.ts'

/** Warns of each revision dated before the previous one. Ignores revisions without content. */
export async function revisionDateProblems(queries: Queries): Promise<Problem[]> {
  const rows = await queries.all(OUT_OF_ORDER, LEEWAY_MS)
  return rows.flatMap(row => {
    const [revision, previous] = [
      revisionText(row, 'number', 'published_at'),
      revisionText(row, 'previous', 'previous_at'),
    ]
    if (revision === undefined || previous === undefined) return [] // `rowProblems` reports wrong types.
    return {
      check: 'clock',
      severity: 'warning',
      subject: `${textOf(row, 'workspace')}/${textOf(row, 'project')}`,
      message: `has revisions dated out of order: revision ${revision} follows revision ${previous}`,
      fix: 'set the clock if it is still wrong, for example with NTP; gc --keep with a time keeps revisions of doubtful age, so also give it a number of revisions',
    }
  })
}

function revisionText(row: Row, number: string, date: string): string | undefined {
  const time = new Date(Number(row[date]))
  return Number.isNaN(time.getTime()) ? undefined : `${row[number]} of ${time.toISOString()}`
}

/** Tolerates small corrections of the clock. */
const LEEWAY_MS = 60_000

const OUT_OF_ORDER = `SELECT workspace, project, number, published_at, previous, previous_at FROM (
    SELECT workspace, project, number, published_at, freed_at,
      LAG(number) OVER (PARTITION BY workspace, project ORDER BY number) AS previous,
      LAG(published_at) OVER (PARTITION BY workspace, project ORDER BY number) AS previous_at
    FROM revision
  ) AS dated
  WHERE published_at + ? < previous_at AND freed_at IS NULL ORDER BY workspace, project, number`
