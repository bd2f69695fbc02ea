import { adopt } from '#adopt/adopt.ts'
import { sortReport } from '#adopt/report/report.ts'
import { sourceEntries, sourceEntry } from './source-entry.ts'

export type Files = Readonly<Record<string, string>>

/** Adopts a source of these files, and the website of those with addresses; gives the report and the pages without front matter. */
export async function adopted(files: Files) {
  const options = { title: 'A', project: 'guidelines', groups: [], exclude: [], withHidden: false, today: '2026-06-01' }
  const { signal } = new AbortController()
  const { site = [], own = [] } = Object.groupBy(Object.entries(files), ([path]) =>
    path.includes('://') ? 'site' : 'own',
  )
  const siteEntries = site.map(([shown, text]) => {
    const path = new URL(shown).pathname.slice(1).replace(/(?<=^|\/)$/, 'index.html')
    return { ...sourceEntry(path, text, 'site/'), shown }
  })
  const sources = [siteEntries, sourceEntries(Object.fromEntries(own))].filter(({ length }) => length > 0)
  const listings = sources.map(entries => ({ name: 'a', entries, leftOut: [] }))
  const { files: written, report } = await adopt(listings, { ...options, signal, progress: () => undefined })
  sortReport(report)
  const texts = written.flatMap(({ to, content }) =>
    to.endsWith('.md') && typeof content === 'string' ? [content] : [],
  )
  return { report, texts: texts.map(text => text.replace(/^---\n.*?\n---\n+/s, '')) }
}
