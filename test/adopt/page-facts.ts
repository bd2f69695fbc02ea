import type { DocumentContent } from '#adopt/document.ts'
import type { PageTask } from '#adopt/pages/page.ts'
import type { Notes } from '#adopt/report/report.ts'

export const TASK: PageTask = {
  path: 'a.html',
  shownPath: 'site/a.html',
  kind: 'html',
  facts: { baseUrl: '', variables: new Map() },
  includes: new Map(),
}

type Page = Omit<DocumentContent, 'pictures' | 'tables'> & Partial<DocumentContent>

/** A converted page, and all that the guide and the report take from it, for a golden file. */
export function pageFacts({ text, lines, notes, pictures = [], ...rest }: Page): object {
  const shown = pictures.map(({ name, bytes }) => `${name}: ${Buffer.from(bytes).toString('latin1')}`)
  return withoutEmpty({ text, lines: lines.join(' '), report: noteRows(notes), pictures: shown, ...rest })
}

/** A row for each note: what became something else, what is lost, and what is guessed, with its line. */
export function noteRows({ converted, lost, guessed }: Notes): string[] {
  return [
    ...converted.map(row => `converted ${row.path}:${row.line} ${kindOf(row.what, row)} → ${row.became}`),
    ...lost.map(row => `lost ${row.path}:${row.line} ${kindOf(row.what, row)}: ${row.text}`),
    ...guessed.map(row => `guessed ${row.path} ${row.key}: ${row.value} (${kindOf(row.why, row)})`),
  ]
}

/** The kind of a row with its detail. */
export function kindOf(kind: string, { detail }: { detail?: string }): string {
  return detail === undefined ? kind : `${kind} [${detail}]`
}

/** Values without empty lists. */
export function withoutEmpty(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !Array.isArray(value) || value.length > 0))
}
