import { access, constants } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import type { CommandFormat } from '#delivery/export/format.ts'
import { quote } from '#platform/base/text.ts'
import { makeBook } from '#site/book/make-book.ts'
import { type DeadLink, type SiteFile, shownPages, staticSite, writeSite } from '#site/static/static-site.ts'
import { withSiteSource } from '../../../compose/static-site.ts'
import { type Arguments, hasFlag, type Io, type Output, textOption } from '../../command.ts'
import { CommandFailure, Misuse } from '../../failure.ts'
import { withProgress } from '../../output/output.ts'
import { firstLines, visible } from '../../output/text.ts'
import {
  type ExportedProject,
  exportOutput,
  type LocalAddresses,
  placeFor,
  withExportedProject,
  writeExport,
  writtenLines,
} from './exported-project.ts'

/** Exports a format that only this command makes. */
export function exportCommandFormat(format: CommandFormat, args: Arguments, io: Io): Promise<Output> {
  return format.id === 'pdf' ? exportPdf(format, args, io) : exportSite(args, io)
}

function exportSite(args: Arguments, io: Io): Promise<Output> {
  const out = textOption(args, 'out')
  if (out === undefined || out === '-' || /\.zip$/i.test(out))
    throw new Misuse('site is a folder: name it with --out, for example --out ./acme-site')
  const folder = resolve(io.folder, out)
  return withExportedProject(args, io, async exported => {
    assertShown(exported, hasFlag(args, 'private'))
    const dead: DeadLink[] = []
    const count = await withCopy(exported, io, (source, copying) => {
      const files = staticSite(source, { ...copying, dead: link => void dead.push(link) })
      return writeSite(folder, findLocal(files, exported.local))
    })
    const warnings = exported.local.warnings()
    const leftOut = dead.map(({ from, to }) => `${to} in ${from}: a link with no target in the copy`)
    const printed = firstLines(leftOut, MAX_PRINTED, more => `${more} more such links`)
    const lines = printed.map(each => `left out of site: ${visible(each)}`)
    lines.push(`${count} files in ${visible(folder)}: open index.html there`)
    return exportOutput(exported, { format: 'site', files: [folder], leftOut, warnings }, lines, io)
  })
}

const MAX_PRINTED = 20

/** Refuses a private project without `--private`, because a folder has no access control. */
function assertShown({ name, record }: ExportedProject, isPrivateMeant: boolean): void {
  if (isPrivateMeant || record.published?.visibility !== 'private') return
  const message = `${name} is private, and anyone who gets the copy can read all of it: add --private to copy it anyway`
  throw new CommandFailure('export_impossible', message)
}

type Source = Parameters<Parameters<typeof withSiteSource>[3]>[0]
type Copying = Pick<Parameters<typeof shownPages>[2], 'signal' | 'progress'>

/** Opens the website of a project to copy, and shows the progress. */
async function withCopy<Value>(
  { name, store, record, publicUrl }: ExportedProject,
  io: Io,
  work: (source: Source, copying: Copying) => Promise<Value>,
): Promise<Value> {
  const { signal } = io
  return withProgress(io, show =>
    withSiteSource(store, record, { publicUrl, signal }, source =>
      work(source, { signal, progress: at => show({ project: name, ...at }) }),
    ),
  )
}

/**
 * Passes the files on, and looks for local addresses in them. One that lies across two chunks is missed; of an archive,
 * whose chunks end anywhere, the copy also has its files.
 */
async function* findLocal(files: AsyncIterable<SiteFile>, local: LocalAddresses): AsyncGenerator<SiteFile> {
  for await (const { path, chunks } of files) yield { path, chunks: lookInChunks(path, chunks, local) }
}

async function* lookInChunks(
  path: string,
  chunks: SiteFile['chunks'],
  local: LocalAddresses,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    local.look(path, chunk)
    yield chunk
  }
}

async function exportPdf(format: CommandFormat, args: Arguments, io: Io): Promise<Output> {
  const place = placeFor(args, format, io)
  const chromium = await findChromium(textOption(args, 'chromium'), io)
  return withExportedProject(args, io, async exported => {
    const options = { chromium, isLandscape: hasFlag(args, 'landscape') }
    const { bytes: content, cut } = await printBook(exported, options, io)
    const bytes = { read: toChunks, zip: noArchive, io }
    const files = await writeExport(place, format, { files: [{ path: format.file, content }] }, bytes)
    const remedy = options.isLandscape ? 'split it' : 'split it, or use --landscape'
    const warnings = cut.map(name => `words are broken or cut off below ${quote(name)}, which is too wide: ${remedy}`)
    const result = { format: 'pdf', files, leftOut: [], warnings }
    return exportOutput(exported, result, await writtenLines(files), io)
  })
}

function printBook(exported: ExportedProject, options: { chromium: string; isLandscape: boolean }, io: Io) {
  const { signal, userId, kill } = io
  return withCopy(exported, io, (source, copying) => {
    const writeCopy = async (folder: string) => {
      const places = new Map<string, string>()
      const pages = [...source.chapters, ...source.front.logos].map(({ address }) => address)
      // The places of pages in the copy, by their addresses.
      const placed = (address: string, place: string) => places.set(address, place)
      await writeSite(folder, shownPages(source, pages, { ...copying, placed }))
      return places
    }
    return makeBook(source.front, source.chapters, writeCopy, { ...options, isRoot: userId === 0, signal, kill })
  })
}

/** The browser that prints: the named one, or the first that exists in PATH. */
export async function findChromium(named: string | undefined, io: Io): Promise<string> {
  if (named !== undefined) {
    const path = resolve(io.folder, named)
    if (await isProgram(path)) return path
    throw new Misuse(`--chromium: ${path} is not a program`)
  }
  const folders = (io.environment.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  for (const path of [...NAMES.flatMap(name => folders.map(folder => join(folder, name))), ...OF_MACOS])
    if (await isProgram(path)) return path
  const message = 'pdf needs Chromium, and there is none in PATH: install it, or name it with --chromium'
  throw new CommandFailure('export_impossible', message)
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const OF_MACOS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** A book is in memory, and no other content is read. */
async function* toChunks(content: unknown): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
}

function noArchive(): never {
  throw new Error('a book is one file')
}
