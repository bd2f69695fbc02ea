import type { ConvertedPage, PageTask } from '#adopt/pages/page.ts'
import type { Notes } from '#adopt/report/report.ts'

export const TASK: PageTask = {
  path: 'a.html',
  shownPath: 'site/a.html',
  kind: 'html',
  facts: { baseUrl: '', variables: new Map() },
  includes: new Map(),
}

type Page = Omit<ConvertedPage, 'pictures' | 'tables'> & Partial<ConvertedPage>

/** A converted page, and all that the guide and the report take from it, for a golden file. */
export function pageFacts({ text, lines, notes, pictures = [], ...rest }: Page): object {
  const shown = pictures.map(({ name, bytes }) => `${name}: ${Buffer.from(bytes).toString('latin1')}`)
  return withoutEmpty({ text, lines: lines.join(' '), report: noteRows(notes), pictures: shown, ...rest })
}

/** A row for each note: what became something else, what is lost, and what is guessed, with its line. */
export function noteRows({ converted, lost, guessed }: Notes): string[] {
  return [
    ...converted.map(({ path, line, what, became }) => `converted ${path}:${line} ${what} → ${became}`),
    ...lost.map(({ path, line, what, text }) => `lost ${path}:${line} ${what}: ${text}`),
    ...guessed.map(({ path, key, value, why }) => `guessed ${path} ${key}: ${value} (${why})`),
  ]
}

/** Values without empty lists. */
export function withoutEmpty(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !Array.isArray(value) || value.length > 0))
}
