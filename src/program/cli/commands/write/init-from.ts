import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { adopt } from '#adopt/adopt.ts'
import { adoptedMarkdown, summaryLines } from '#adopt/report/adopted-markdown.ts'
import { emptyReport, type Report, sortReport, uniqueNames } from '#adopt/report/report.ts'
import { isServiceAddress, readService, type ServiceCopy } from '#adopt/service/read-service.ts'
import { excludedBy } from '#adopt/sources/leave-out.ts'
import { type NamedSource, openSources } from '#adopt/sources/open-source.ts'
import type { NewFile } from '#adopt/sources/source.ts'
import { writeWhole } from '#adopt/write.ts'
import { dayOf } from '#brand/file.ts'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget } from '#intake/reading.ts'
import { withReadOptions } from '../../brand-folder.ts'
import { type Arguments, hasFlag, type Io, listOption, type Output } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { folderOperand, withProgress } from '../../output/output.ts'
import { visible } from '../../output/text.ts'
import { readPlainFile } from '../../settings.ts'
import { bytesOf } from './style-sources.ts'

/** The new folder, `name` as the user typed it. `withSchemas` adds files that every brand folder has. */
type NewFolder = { folder: string; name: string; title: string; id: string; withSchemas: WithSchemas }
type WithSchemas = (files: Readonly<Record<string, string>>) => NewFile[]

/** Makes a brand folder of folders, archives, pages and style files. */
export async function initFrom(
  args: Arguments,
  io: Io,
  { folder, name, title, id, withSchemas }: NewFolder,
): Promise<Output> {
  await using opened = new AsyncDisposableStack()
  const report = emptyReport()
  const { files, workspace } = await readSources(args, io, { folder, title, report, opened })
  proveUsable(report)
  const isText = (file: NewFile): file is NewFile & { content: string } => typeof file.content === 'string'
  const texts = files.filter(isText).map(({ to, content }) => [to, content])
  const workspaceYaml = stringify({ id, name: title, ...workspace })
  const written = withSchemas({ 'workspace.yaml': workspaceYaml, ...Object.fromEntries(texts) })
  // A dry run writes the folder, too, where nobody sees it, because only the finished folder shows all errors.
  const isDry = hasFlag(args, 'dryRun')
  const place = isDry ? join(await temporaryFolder(opened), 'brand') : folder
  await writeWhole(place, [...written, ...files.filter(file => !isText(file))], {
    signal: io.signal,
    inspect: folder => finish(folder, report, io),
  })
  for (const line of summaryLines(report, io.columns)) io.err(`${visible(line)}\n`)
  return {
    json: { folder, ...report },
    text: isDry
      ? adoptedMarkdown(report)
      : report.projects.map(each => `${visible(join(name, each.project))}\n`).join(''),
    next: isDry ? [] : [{ purpose: 'see it', command: 'dev', operands: [folderOperand(name)] }],
  }
}

async function temporaryFolder(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Reads the new folder as `check` does, and takes out pages and files that have an error in spite of all, so that it has
 * none. Then writes the report.
 */
async function finish(folder: string, report: Report, io: Io): Promise<void> {
  for (;;) {
    const { findings } = await withReadOptions({ maxFile: MAX_FILE, maxItems: MAX_ITEMS }, io, options =>
      readBrandFolder(folder, { ...options, targetFor: () => noTarget, today: dayOf(new Date()) }),
    )
    const errors = new Map(findings.flatMap(each => (each.severity === 'error' ? [[each.path, each.message]] : [])))
    for (const [path, message] of errors) {
      const row = report.placed.find(({ to }) => to === path)
      if (!row) throw new Error(`the new folder has an error: ${path} ${message}`)
      report.placed.splice(report.placed.indexOf(row), 1)
      report.leftOut.push({ path: row.from, reason: message })
      const project = report.projects.find(each => path.startsWith(`${each.project}/`))
      if (project) project[path.startsWith(`${project.project}/pages/`) ? 'pages' : 'files']--
      await rm(join(folder, path))
    }
    if (errors.size === 0) break
  }
  sortReport(report)
  await writeFile(join(folder, '_adopted.md'), adoptedMarkdown(report))
}

/** Refuses sources without content, and those with more than a project may have. */
function proveUsable({ projects, placed, merged, leftOut: [reason] }: Report): void {
  const why = reason ? `, for example ${reason.path}: ${reason.reason}` : ''
  if (placed.length + merged.length === 0)
    throw new CommandFailure('source_empty', `the source has nothing that a guide can have${why}`)
  const most = Math.max(...projects.flatMap(({ pages, files }) => [pages, files]))
  const message = `the source has ${most} pages or files, and a guide may have ${MAX_ITEMS}: leave some out with --exclude`
  if (most > MAX_ITEMS) throw new CommandFailure('source_unreadable', message)
}

const MAX_FILE = 1 << 30
const MAX_ITEMS = 10_000

type Sources = { files: NewFile[]; workspace?: ServiceCopy['workspace'] | undefined }
type Reading = { folder: string; title: string; report: Report; opened: AsyncDisposableStack }

/** Reads each service, and all other sources as one. */
async function readSources(args: Arguments, io: Io, { folder, title, report, opened }: Reading): Promise<Sources> {
  const sources = listOption(args, 'from')
  const { signal } = io
  const takeName = uniqueNames()
  const copies: ServiceCopy[] = []
  for (const address of sources.filter(isServiceAddress)) {
    const label = sources.length === 1 ? '' : `${URL.parse(address)?.host}/`
    const downloads = await temporaryFolder(opened)
    const progress = (step: string) => io.err(`${visible(step)}\n`)
    const options = { token: serviceToken(io), label, takeName, downloads, report, signal, progress }
    copies.push(await readService(address, options))
  }
  const { files, workspace } = { workspace: copies[0]?.workspace, files: copies.flatMap(copy => copy.files) }
  const named: NamedSource[] = []
  for (const name of sources.filter(source => !isServiceAddress(source)))
    named.push(
      name === '-'
        ? { name, path: 'stdin.json', bytes: await bytesOf(name, io) }
        : { name, path: resolve(io.folder, name) },
    )
  if (named.length === 0) return { files, workspace }
  const listings = await openSources(named, { target: folder, isOnly: sources.length === 1, opened })
  const [groups, exclude] = [listOption(args, 'tokens'), listOption(args, 'exclude')]
  const project = takeName('guidelines')
  const adopted = await withProgress(io, show => {
    const progress = (project: string, done: number, total: number) => show({ project, done, total })
    return adopt(listings, report, { project, title, groups, exclude, signal, progress })
  })
  for (const glob of exclude)
    if (!report.leftOut.some(({ reason }) => reason === excludedBy(glob)))
      io.err(`${visible(excludedBy(glob))} leaves nothing out\n`)
  return { files: [...files, ...adopted], workspace }
}

/** The token of another service, which is never an argument, since other users of the machine see those. */
function serviceToken({ environment, folder }: Io): string {
  const { HOUSESTYLE_FROM_TOKEN: token, HOUSESTYLE_FROM_TOKEN_FILE: path } = environment
  const text = (token ?? (path ? readPlainFile(resolve(folder, path)) : '')).trim()
  if (/^[!-~]+$/.test(text)) return text
  throw new CommandFailure('source_unreadable', NO_TOKEN)
}

const NO_TOKEN =
  'a service needs a token, which has no spaces: put it into HOUSESTYLE_FROM_TOKEN, or the path of a file that has it into HOUSESTYLE_FROM_TOKEN_FILE'
