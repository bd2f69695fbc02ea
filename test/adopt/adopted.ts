import { adopt } from '#adopt/adopt.ts'
import { sortReport } from '#adopt/report/report.ts'
import { sourceEntries } from './source-entry.ts'

export type Files = Readonly<Record<string, string>>

/** Adopts a source of these files; gives the report and the pages without front matter. */
export async function adopted(files: Files) {
  const options = { title: 'A', project: 'guidelines', groups: [], exclude: [], withHidden: false, today: '2026-06-01' }
  const { signal } = new AbortController()
  const listing = { name: 'a', entries: sourceEntries(files), leftOut: [] }
  const { files: written, report } = await adopt([listing], { ...options, signal, progress: () => undefined })
  sortReport(report)
  const texts = written.flatMap(({ to, content }) =>
    to.endsWith('.md') && typeof content === 'string' ? [content] : [],
  )
  return { report, texts: texts.map(text => text.replace(/^---\n.*?\n---\n+/s, '')) }
}
