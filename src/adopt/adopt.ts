import { decodeText } from '#base/bytes.ts'
import { OperationalError } from '#base/error.ts'
import { openPathAllocator } from '#brand/portable-paths.ts'
import { colorsYaml, typesYaml } from '#conversion/style-files.ts'
import { describeProject } from './describe.ts'
import { convertMarkdown } from './pages/convert-page.ts'
import type { PageKind } from './pages/page.ts'
import { addNotes, emptyReport, type Report, sortReport } from './report/report.ts'
import { type FilePlan, linkPages } from './site/links.ts'
import { planPages } from './site/page-paths.ts'
import { siteFacts } from './sources/facts.ts'
import type { Entry, Listing } from './sources/source.ts'
import { adoptValues, mayHaveStyles } from './values.ts'
import type { NewFile } from './write.ts'

export type AdoptOptions = {
  /** The title of the new guide if the source has none. */
  title: string
  /** The groups of tokens to take; all if empty. */
  groups: readonly string[]
  signal: AbortSignal
  /** Called with each step that may take long. */
  progress: (step: string) => void
}

/** A brand folder that is not written yet, and the report on it. */
export type Adopted = { report: Report; files: NewFile[] }

/** Makes one project of the files of sources. */
export async function adopt(listings: readonly Listing[], { title, groups, signal }: AdoptOptions): Promise<Adopted> {
  const report = emptyReport()
  const entries = listings.flatMap(listing => listing.entries)
  for (const { leftOut } of listings) report.leftOut.push(...leftOut)
  const facts = await siteFacts(entries)
  const pages = []
  for (const entry of entries) {
    signal.throwIfAborted()
    const kind = pageKind(entry)
    if (kind) pages.push({ entry, page: await convert(entry, kind, facts) })
  }
  const { plans, notes } = planPages(pages, facts)
  const tables = plans.flatMap(({ entry, page }) => page.tables.map(table => ({ shownPath: shown(entry), table })))
  const values = await adoptValues(entries.filter(mayHaveStyles), tables, { groups })
  const used = new Set([...pages.map(({ entry }) => entry), ...values.merged.map(({ entry }) => entry)])
  const files = placeFiles(entries.filter(entry => !used.has(entry)))
  const linked = linkPages(plans, files, facts)
  const described = await describeProject(facts, files, { title, colors: values.styles.colors })
  for (const each of [notes, values.notes, linked.notes, described.notes, ...plans.map(({ page }) => page.notes)])
    addNotes(report, each)
  for (const { entry, to } of [...plans, ...files]) report.placed.push({ from: shown(entry), to: `${PROJECT}/${to}` })
  for (const { entry, into } of values.merged) report.merged.push({ from: shown(entry), into: `${PROJECT}/${into}` })
  const { colors, types } = values.styles
  report.projects.push({
    project: PROJECT,
    pages: plans.length,
    colors: colors.length,
    types: types.length,
    files: files.length,
  })
  sortReport(report)
  if (report.placed.length + report.merged.length === 0)
    throw new OperationalError('source_empty', 'the source has nothing that a guide can have')
  const texts: [string, string | undefined][] = [
    ['project.yaml', described.projectYaml],
    ['files/files.yaml', described.filesYaml],
    ['styles/colors.yaml', colors.length > 0 ? colorsYaml(colors) : undefined],
    ['styles/types.yaml', types.length > 0 ? typesYaml(types) : undefined],
    ...plans.map(({ to }, at): [string, string | undefined] => [to, linked.texts[at]]),
  ]
  const written = texts.flatMap(([to, content]) => (content === undefined ? [] : [{ to: `${PROJECT}/${to}`, content }]))
  return { report, files: [...written, ...files.map(({ entry, to }) => ({ to: `${PROJECT}/${to}`, content: entry }))] }
}

/** One source makes one project, of this name. */
const PROJECT = 'guidelines'

function shown({ label, path }: Entry): string {
  return label + path
}

function pageKind({ path }: Entry): PageKind | undefined {
  return /\.md$/i.test(path) ? 'md' : undefined
}

async function convert(entry: Entry, kind: PageKind, facts: Awaited<ReturnType<typeof siteFacts>>) {
  const text = decodeText(await entry.read(MAX_PAGE_BYTES)) ?? ''
  const includes = new Map<string, string>()
  return convertMarkdown(text, { path: entry.path, shownPath: shown(entry), kind, facts, includes })
}

const MAX_PAGE_BYTES = 4 << 20

function placeFiles(entries: readonly Entry[]): FilePlan[] {
  const paths = openPathAllocator()
  return entries.map(entry => ({ entry, to: paths.take(`files/${entry.path.replace(/^files\//, '')}`) }))
}
