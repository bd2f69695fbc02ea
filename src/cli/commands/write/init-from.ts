import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { adopt } from '#adopt/adopt.ts'
import { adoptedMarkdown, summaryLines } from '#adopt/report/adopted-markdown.ts'
import { joinReports, type Report, sortReport, uniqueNames } from '#adopt/report/report.ts'
import { isServiceAddress, readService } from '#adopt/service/read-service.ts'
import { excludedBy } from '#adopt/sources/leave-out.ts'
import { openSources } from '#adopt/sources/open-source.ts'
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

/** The new folder: its name as the user typed it, its title, and the files that every brand folder has. */
type NewFolder = {
  folder: string
  name: string
  title: string
  workspace: { id: string }
  withSchemas: (files: Readonly<Record<string, string>>) => Record<string, string>
}

/** Makes a brand folder of folders, archives, pages and style files. */
export async function initFrom(
  args: Arguments,
  io: Io,
  { folder, name, title, workspace, withSchemas }: NewFolder,
): Promise<Output> {
  await using opened = new AsyncDisposableStack()
  const parts = await readParts(args, io, { folder, title, opened })
  const [report, files] = [joinReports(parts.map(part => part.report)), parts.flatMap(part => part.files)]
  const texts = files.flatMap(({ to, content }) => (typeof content === 'string' ? [[to, content]] : []))
  const workspaceYaml = stringify({ ...workspace, ...parts[0]?.workspace })
  const written = Object.entries(withSchemas({ 'workspace.yaml': workspaceYaml, ...Object.fromEntries(texts) }))
  const copied = files.filter(({ content }) => typeof content !== 'string')
  // A dry run writes the folder, too, where nobody sees it, because only the finished folder shows all errors.
  const isDry = hasFlag(args, 'dryRun')
  const place = isDry ? join(await temporaryFolder(opened), 'brand') : folder
  await writeWhole(place, [...written.map(([to, content]) => ({ to, content })), ...copied], {
    signal: io.signal,
    inspect: folder => finish(folder, report, io),
  })
  for (const line of summaryLines(report, io.columns)) io.err(`${visible(line)}\n`)
  return {
    json: { folder, ...report },
    text: isDry
      ? 'nothing was written\n'
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
  for (let round = 0; ; round++) {
    const { findings } = await withReadOptions({ maxFile: MAX_FILE, maxItems: MAX_ITEMS }, io, options =>
      readBrandFolder(folder, { ...options, targetFor: () => noTarget, today: dayOf(new Date()) }),
    )
    const errors = new Map(findings.flatMap(each => (each.severity === 'error' ? [[each.path, each.message]] : [])))
    for (const [path, message] of errors) {
      const row = report.placed.find(({ to }) => to === path)
      if (!row || round === MAX_ROUNDS) throw new Error(`the new folder has an error: ${path} ${message}`)
      report.placed.splice(report.placed.indexOf(row), 1)
      report.leftOut.push({ path: row.from, reason: message })
      const project = report.projects.find(each => path.startsWith(`${each.project}/`))
      if (project) project[path.startsWith(`${project.project}/pages/`) ? 'pages' : 'files']--
      await rm(join(folder, path))
    }
    if (errors.size === 0) break
  }
  proveUsable(report)
  sortReport(report)
  await writeFile(join(folder, '_adopted.md'), adoptedMarkdown(report))
}

/** Refuses sources without content. */
function proveUsable({ placed, merged, leftOut: [reason] }: Report): void {
  const why = reason ? `, for example ${reason.path}: ${reason.reason}` : ''
  if (placed.length + merged.length === 0)
    throw new CommandFailure('source_empty', `the source has nothing that a guide can have${why}`)
}

const MAX_FILE = 1 << 30
const MAX_ITEMS = 10_000
const MAX_ROUNDS = 3

type Part = { report: Report; files: NewFile[]; workspace?: { id: string; name?: string } }

/** Reads each service, and all other sources as one. */
async function readParts(
  args: Arguments,
  io: Io,
  { folder, title, opened }: { folder: string; title: string; opened: AsyncDisposableStack },
): Promise<Part[]> {
  const sources = listOption(args, 'from')
  const parts: Part[] = []
  const takeName = uniqueNames()
  const progress = (step: string) => io.err(`${visible(step)}\n`)
  for (const address of sources.filter(isServiceAddress)) {
    const label = sources.length === 1 ? '' : `${new URL(address).host}/`
    const downloads = await temporaryFolder(opened)
    const options = { token: serviceToken(io), label, takeName, downloads, signal: io.signal, progress }
    parts.push(await readService(address, options))
  }
  const others = sources.filter(source => !isServiceAddress(source))
  const named = others
    .filter(source => source !== '-')
    .map(source => ({ name: source, path: resolve(io.folder, source) }))
  const stdin = others.includes('-') ? [{ name: '-', path: 'stdin.json', bytes: await bytesOf('-', io) }] : []
  const listings = await openSources([...named, ...stdin], { target: folder, isOnly: sources.length === 1, opened })
  if (listings.length === 0) return parts
  const [groups, exclude] = [listOption(args, 'tokens'), listOption(args, 'exclude')]
  const project = takeName('guidelines')
  const adopted = await withProgress(io, show => {
    const progress = (project: string, done: number, total: number) => show({ project, done, total })
    return adopt(listings, { project, title, groups, exclude, signal: io.signal, progress })
  })
  for (const glob of exclude)
    if (!adopted.report.leftOut.some(({ reason }) => reason === excludedBy(glob)))
      io.err(`${visible(excludedBy(glob))} leaves nothing out\n`)
  return [...parts, adopted]
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
