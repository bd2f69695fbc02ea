import { resolve } from 'node:path'
import { stringify } from 'yaml'
import { adopt } from '#adopt/adopt.ts'
import { readDocuments, withPages } from '#adopt/printed/read-document.ts'
import { adoptedMarkdown, summaryLines } from '#adopt/report/adopted-markdown.ts'
import { emptyText, isNearlyEmpty } from '#adopt/report/missing-words.ts'
import { emptyReport, joinReports, publicReport, type Report, reasonText, uniqueNames } from '#adopt/report/report.ts'
import { readService, type ServiceCopy } from '#adopt/service/read-service.ts'
import { excludedBy } from '#adopt/sources/leave-out.ts'
import { MAX_STYLE_BYTES, type NamedSource, openSources } from '#adopt/sources/open-source.ts'
import type { Listing } from '#adopt/sources/source.ts'
import { readWebsite } from '#adopt/web/read-website.ts'
import type { Adopted } from '#adopt/write-guide.ts'
import { dayOf } from '#brand/file.ts'
import { readAll } from '#platform/base/bytes.ts'
import { parseSize } from '#platform/settings/values.ts'
import { type Arguments, hasFlag, type Io, inputOf, listOption, textOption } from '../../command.ts'
import { CommandFailure, EXIT, Misuse } from '../../failure.ts'
import { withProgress } from '../../output/output.ts'
import { byteSize, visible } from '../../output/text.ts'
import { readPlainFile } from '../../settings.ts'
import { fillPointers } from './init-lfs.ts'
import { LIMITS, listedPaths, type NewContent, type Target, temporaryFolder } from './new-folder.ts'

/** The content of a folder that is made of folders, archives, pages, services and style files. */
export async function adoptedContent(args: Arguments, io: Io, target: Target): Promise<NewContent> {
  const { folder, name, title, id, isDry } = target
  const { files, workspace, report } = await readSources(args, io, target)
  proveUsable(report)
  const isRefused = !hasFlag(args, 'force') && isNearlyEmpty(report)
  if (isRefused && !isDry) throw new CommandFailure('source_unread', `${emptyText(report)}, or write it with --force`)
  const workspaceYaml = { to: 'workspace.yaml', content: stringify({ id, name: title, ...workspace }) }
  return {
    files: [workspaceYaml, ...files],
    report,
    sources: listOption(args, 'from'),
    print: ({ first }) => {
      for (const line of summaryLines(report, first, io.columns)) io.err(`${visible(line)}\n`)
      const listed = report.projects.map(({ project }) => project)
      return {
        json: { folder, first, ...publicReport(report) },
        text: isDry ? adoptedMarkdown(report, first) : listedPaths(name, listed),
        exitCode: isRefused ? EXIT.failed : EXIT.done,
      }
    },
  }
}

/** Refuses sources without content, and those with more than a project may have. */
function proveUsable({ projects, placed, merged, leftOut: [first] }: Report): void {
  const why = first ? `, for example ${first.path}: ${reasonText(first)}` : ''
  if (placed.length + merged.length === 0)
    throw new CommandFailure('source_empty', `the source has nothing that a guide can have${why}`)
  const mostItems = Math.max(...projects.flatMap(({ pages, files }) => [pages, files]))
  const message = `the source has ${mostItems} pages or files, and a guide may have ${LIMITS.maxItems}: leave some out with --exclude`
  if (mostItems > LIMITS.maxItems) throw new CommandFailure('source_unreadable', message)
}

type TakeName = ReturnType<typeof uniqueNames>
type Sources = Pick<Adopted, 'files' | 'report'> & { workspace?: Partial<ServiceCopy['workspace']> | undefined }
type Reading = Pick<Target, 'folder' | 'title' | 'opened'>

/** Reads each service, and all other sources as one. */
async function readSources(args: Arguments, io: Io, { folder, title, opened }: Reading): Promise<Sources> {
  const takeName = uniqueNames()
  const report = emptyReport()
  const copies = await readServices(args, io, { takeName, report, opened })
  const serviceFiles = copies.flatMap(copy => copy.files)
  const workspace = copies[0]?.workspace
  const named = await namedSources(args, io)
  const isOnly = listOption(args, 'from').length === 1
  const sites = await readWebsites(args, io, { opened, isOnly })
  if (named.length + sites.length === 0) return { files: serviceFiles, workspace, report }
  const listings = await openSources(named, { target: folder, isOnly, opened })
  for (const listing of listings) await fillPointers(listing, args, io, opened)
  const project = takeName('guidelines')
  const adopted = await adoptListings(args, io, [...sites, ...listings], { project, title, opened })
  const { files, brand } = adopted
  return {
    files: [...serviceFiles, ...files],
    workspace: { name: brand, ...workspace },
    report: joinReports(report, adopted.report),
  }
}

/** Copies each service. Several services are distinguished by their hosts in the report: `brand.acme.com/…`. */
async function readServices(
  args: Arguments,
  io: Io,
  { takeName, report, opened }: { takeName: TakeName; report: Report; opened: Target['opened'] },
): Promise<ServiceCopy[]> {
  const sources = listOption(args, 'from')
  const { signal } = io
  const copies: ServiceCopy[] = []
  for (const address of sources.filter(source => isService(source, io))) {
    const label = sources.length === 1 ? '' : `${URL.parse(address)?.host}/`
    const downloads = await temporaryFolder(opened)
    const progress = (step: string) => io.err(`${visible(step)}\n`)
    const options = { token: serviceToken(io), label, takeName, downloads, report, signal, progress }
    copies.push(await readService(address, options))
  }
  return copies
}

/** The files and folders among the sources, of which stdin is read at once. */
async function namedSources(args: Arguments, io: Io): Promise<NamedSource[]> {
  const named: NamedSource[] = []
  for (const name of listOption(args, 'from').filter(source => !isAddress(source)))
    named.push(
      name === '-'
        ? { name, path: 'stdin.json', bytes: await readAll(inputOf(io), MAX_STYLE_BYTES, tooLarge) }
        : { name, path: resolve(io.folder, name) },
    )
  return named
}

/** Makes one project of all listings. With `--pages`, the pages of documents become pages of the guide. */
async function adoptListings(
  args: Arguments,
  io: Io,
  listings: readonly Listing[],
  { project, title, opened }: Omit<Reading, 'folder'> & { project: string },
): Promise<Adopted> {
  const { signal } = io
  const printed = await readDocuments(listings, { pages: listOption(args, 'pages'), opened, signal })
  const exclude = listOption(args, 'exclude')
  const options = { groups: listOption(args, 'tokens'), exclude, withHidden: hasFlag(args, 'withHidden') }
  const wanted = { ...options, project, title, today: dayOf(new Date()), signal }
  const adopted = await withProgress(io, show => {
    const progress = (project: string, done: number, total: number) => show({ project, done, total })
    return adopt(printed.listings, { ...wanted, progress })
  })
  for (const glob of exclude)
    if (!adopted.report.leftOut.some(({ reason }) => reason === excludedBy(glob)))
      io.err(`${visible(excludedBy(glob))} leaves nothing out\n`)
  return { ...adopted, report: withPages(adopted.report, printed.documents) }
}

function tooLarge(): CommandFailure {
  const message = `stdin has more than ${byteSize(MAX_STYLE_BYTES)}: give it fewer styles`
  return new CommandFailure('source_unreadable', message)
}

/** Reads websites, each as a source. */
async function readWebsites(
  args: Arguments,
  io: Io,
  { opened, isOnly }: { opened: Target['opened']; isOnly: boolean },
): Promise<Listing[]> {
  const addresses = listOption(args, 'from').filter(source => isAddress(source) && !isService(source, io))
  const limits = { maxPages: limitOption(args, 'maxPages', '500'), maxBytes: limitOption(args, 'maxSize', '1GiB') }
  const listings: Listing[] = []
  for (const address of addresses) {
    const label = isOnly ? '' : `${URL.parse(address)?.host}/`
    const folder = await temporaryFolder(opened)
    listings.push(
      await withProgress(io, show => {
        const progress = (pages: number, bytes: number) =>
          show({ project: `pages, ${Math.ceil(bytes / 2 ** 20)} MiB`, done: pages, total: limits.maxPages })
        return readWebsite(address, { ...limits, label, folder, signal: io.signal, progress })
      }),
    )
  }
  return listings
}

/** A limit as a number, or as a size such as `500MiB`. */
function limitOption(args: Arguments, name: 'maxPages' | 'maxSize', usual: string): number {
  const text = textOption(args, name) ?? usual
  const limit = name === 'maxPages' && !/^\d+$/.test(text) ? undefined : parseSize(text)
  if (limit !== undefined) return limit
  const option = name === 'maxPages' ? '--max-pages takes a number' : '--max-size takes a size'
  throw new Misuse(`${option}, as in ${usual}`)
}

function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

/** Whether an address is that of a service: it names a workspace, or there is a token for it. */
function isService(source: string, { environment }: Io): boolean {
  const hasToken = Boolean(environment.HOUSESTYLE_FROM_TOKEN ?? environment.HOUSESTYLE_FROM_TOKEN_FILE)
  return isAddress(source) && (hasToken || /\/workspace\/[^/]/.test(URL.parse(source)?.pathname ?? ''))
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
