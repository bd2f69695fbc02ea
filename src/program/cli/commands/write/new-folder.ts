import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command, First } from '#adopt/report/first.ts'
import type { Report } from '#adopt/report/report.ts'
import type { NewFile } from '#adopt/sources/source.ts'
import { writeWhole } from '#adopt/write.ts'
import type { Draft } from '#brand/draft.ts'
import { pagePath } from '#brand/edit-link.ts'
import { dayOf } from '#brand/file.ts'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget } from '#intake/reading.ts'
import { schemaFiles } from '#intake/schema/folder-schemas.ts'
import { markOf } from '#intake/translations.ts'
import { withReadOptions } from '../../brand-folder.ts'
import type { Io, Output } from '../../command.ts'
import { visible } from '../../output/text.ts'

/** The new folder, `name` as the user typed it. Closing `opened` closes its sources. */
export type Target = {
  folder: string
  name: string
  title: string
  id: string
  isDry: boolean
  opened: AsyncDisposableStack
}

/** The content of a new folder, which has no page or file with an error if there is a `report`, and its output. */
export type NewContent = {
  files: readonly NewFile[]
  report?: Report
  /** The sources of the report, as the user typed them. */
  sources?: readonly string[]
  print: (written: { paths: readonly string[]; first: readonly First[] }) => Output
}

/**
 * Writes a new folder with the schemas of its YAML files, and with the report on its sources as `_adopted.md`. A dry run
 * writes it to a temporary folder, because only the finished folder shows all errors.
 */
export async function writeNewFolder(
  { folder, name, isDry, opened }: Target,
  { files, report, sources = [], print }: NewContent,
  io: Io,
): Promise<Output> {
  const written = withSchemas(files)
  let first: First[] = []
  const inspect = async (place: string) => {
    if (report) first = await finish(place, report, { name, sources }, io)
  }
  const place = isDry ? join(await temporaryFolder(opened), 'brand') : folder
  await writeWhole(place, written, { signal: io.signal, inspect })
  return print({ paths: written.map(({ to }) => to), first })
}

/** The paths in a folder as lines, each with the folder's name as the user typed it. */
export function listedPaths(name: string, paths: readonly string[]): string {
  return paths.map(path => `${visible(join(name, path))}\n`).join('')
}

/** Files by path. */
export function filesAt(texts: Readonly<Record<string, string>>): NewFile[] {
  return Object.entries(texts).map(([to, content]) => ({ to, content }))
}

export async function temporaryFolder(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Adds the JSON Schemas, and to each YAML file a line for `yaml-language-server`, which most editors use. */
function withSchemas(files: readonly NewFile[]): NewFile[] {
  const schemas = schemaFiles()
  const names = new Set(schemas.map(({ name }) => name))
  const withLines = files.map(({ to, content }) => {
    // `guidelines/styles/colors.yaml` has the schema `colors.json`.
    const schema = to.replace(/^.*\//, '').replace(/\.yaml$/, '.json')
    if (typeof content !== 'string' || !to.endsWith('.yaml') || !names.has(schema)) return { to, content }
    const up = '../'.repeat(to.split('/').length - 1)
    return { to, content: `# yaml-language-server: $schema=${up}${FOLDER}/${schema}\n${content}` }
  })
  return [...withLines, ...schemas.map(({ name, text }) => ({ to: `${FOLDER}/${name}`, content: text }))]
}

/** Imports ignore this folder. */
const FOLDER = '_schemas'

/**
 * Reads the new folder as `check` does, and takes out pages and files that have an error in spite of all, so that it has
 * none. Then writes the report.
 */
async function finish(folder: string, report: Report, command: Command, io: Io): Promise<First[]> {
  const { adoptedMarkdown } = await import('#adopt/report/adopted-markdown.ts')
  const { firstRows } = await import('#adopt/report/first.ts')
  const { sortReport } = await import('#adopt/report/report.ts')
  // Reads again after each removal, because other files may need the removed ones.
  for (;;) {
    const drafts: Draft[] = []
    const targetFor = () => ({ ...noTarget, draft: (draft: Draft) => void drafts.push(draft) })
    const { findings } = await withReadOptions(LIMITS, io, options =>
      readBrandFolder(folder, { ...options, targetFor, today: dayOf(new Date()) }),
    )
    const errors = new Map(findings.filter(each => each.severity === 'error').map(each => [each.path, each.message]))
    for (const [path, message] of errors) await takeOut(path, message, folder, report)
    if (errors.size > 0) continue
    if (drafts.some(({ translation }) => translation)) await markTranslations(folder, drafts)
    sortReport(report)
    // The first steps are about the first project.
    const main = drafts.find(({ project }) => project === report.projects[0]?.project) ?? drafts[0]
    const first = main ? firstRows(report, main, command) : []
    await writeFile(join(folder, '_adopted.md'), adoptedMarkdown(report, first))
    return first
  }
}

/** Writes the marks that say that translations are those of the present pages of their originals. */
async function markTranslations(folder: string, drafts: readonly Draft[]): Promise<void> {
  const { withMark } = await import('../translate.ts')
  for (const { translation, source, pages } of drafts) {
    const original = drafts.find(({ project }) => project === translation?.of)
    const marks = new Map(Array.from(original?.pages ?? [], page => [page.id, markOf(page)]))
    for (const { id } of pages) {
      const mark = marks.get(id)
      const path = join(folder, source.folder, pagePath(source, id))
      const text = mark === undefined ? undefined : withMark(await readFile(path, 'utf8'), mark)
      if (text !== undefined) await writeFile(path, text)
    }
  }
}

export const LIMITS = { maxFile: 1 << 30, maxItems: 10_000 }

/** Takes out a page or file that has an error. */
async function takeOut(path: string, message: string, folder: string, report: Report): Promise<void> {
  const row = report.placed.find(({ to }) => to === path)
  if (!row) throw new Error(`the new folder has an error: ${path} ${message}`)
  report.placed.splice(report.placed.indexOf(row), 1)
  report.leftOut.push({ path: row.from, reason: message })
  const project = report.projects.find(each => path.startsWith(`${each.project}/`))
  if (project) project[path.startsWith(`${project.project}/pages/`) ? 'pages' : 'files']--
  await rm(join(folder, path))
}
