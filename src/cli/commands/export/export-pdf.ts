import { access, constants } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { makeBook } from '../../../book/make-book.ts'
import { withSiteSource } from '../../../compose/static-site.ts'
import type { CommandFormat } from '../../../export/format.ts'
import { staticSite, writeSite } from '../../../static/static-site.ts'
import { type Arguments, hasFlag, type Output, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { withProgress } from '../../output/progress.ts'
import { type ExportedProject, exportOutput, withExportedProject, writtenLines } from './exported-project.ts'
import { placeFor, writeExport } from './write-export.ts'

/** `export [workspace/project] --to pdf` */
export async function exportPdf(format: CommandFormat, args: Arguments, io: Io): Promise<Output> {
  const place = placeFor(textOption(args, 'out'), format, io)
  if (hasFlag(args, 'json') && place.kind === 'stdout')
    throw new CommandFailure('usage', '--json describes the written files: name a file with --out, or use --list')
  const chromium = await findChromium(textOption(args, 'chromium'), io)
  return withExportedProject(args, io, async exported => {
    const content = await printBook(exported, { chromium, isLandscape: hasFlag(args, 'landscape') }, io)
    const bytes = { read: toChunks, zip: noArchive, io }
    const files = await writeExport(place, format, { files: [{ path: format.file, content }] }, bytes)
    const result = { format: 'pdf', files, leftOut: [], warnings: [] }
    return exportOutput(exported, result, await writtenLines(files))
  })
}

async function printBook(
  { name, store, record, publicUrl }: ExportedProject,
  options: { chromium: string; isLandscape: boolean },
  io: Io,
) {
  const { signal, userId, kill } = io
  return withProgress(io, show =>
    withSiteSource(store, record, publicUrl, source => {
      const writeCopy = async (folder: string) => {
        const places = new Map<string, string>()
        const files = staticSite(source, {
          signal,
          progress: at => show({ project: name, ...at }),
          dead: () => undefined,
          placed: (address, place) => places.set(address, place),
        })
        await writeSite(folder, files)
        return places
      }
      return makeBook(source.front, source.chapters, writeCopy, { ...options, isRoot: userId === 0, signal, kill })
    }),
  )
}

/** The browser that prints: the named one, or the first that exists in PATH. */
async function findChromium(named: string | undefined, io: Io): Promise<string> {
  if (named !== undefined) {
    const path = resolve(io.folder, named)
    if (await isProgram(path)) return path
    throw new CommandFailure('usage', `--chromium: ${path} is not a program`)
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

async function* toChunks(content: unknown): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
}

function noArchive(): never {
  throw new Error('a book is one file')
}
