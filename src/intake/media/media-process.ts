import process from 'node:process'
import { type MaybePromise, serial } from '../../base/promise.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { isDecoderCrash } from '../../fonts/unpack-font.ts'
import { versionOf } from '../folder/file-version.ts'
import { type OpenFile, openFile } from '../folder/open-file.ts'
import { CHANGED, Unreadable } from '../folder/unreadable.ts'
import type { MediaAnswer, MediaDetails, MediaTask } from './media-task.ts'

// This program runs in a child process, which ends when its parent process disconnects.
const inTurn = serial()
process.on('message', (task: MediaTask) =>
  inTurn(async () => {
    const read = await readerOf(task) // Not in `answer`: the file is not to blame if a parser cannot be loaded.
    process.send?.(await answer(task, read))
  }),
)

type Details = Result<MediaDetails, string>
type Read = (file: OpenFile, contentType: string) => MaybePromise<Details>

async function readerOf(task: MediaTask): Promise<Read> {
  if (task.kind === 'font') return (await import('./font.ts')).readFont
  if (task.contentType === 'image/svg+xml') return (await import('./svg.ts')).readSvg
  return (await import('./raster.ts')).readRaster
}

async function answer(task: MediaTask, read: Read): Promise<MediaAnswer> {
  try {
    using file = openFile(task.path)
    if (versionOf(file.stat) !== task.version) return failed({ kind: 'unreadable', code: CHANGED })
    const details = await read(file, task.contentType)
    return details.ok ? ok(details.value) : failed({ kind: 'damaged', message: details.problem })
  } catch (error) {
    if (error instanceof Unreadable) return failed({ kind: 'unreadable', code: error.code })
    // A WebAssembly program that broke off may not run again. To the pool, the process was out of memory.
    if (isDecoderCrash(error)) process.exit(134)
    // Parsers throw for damaged bytes, with messages that help nobody.
    return failed({
      kind: 'damaged',
      message: 'it is damaged, or of a form that housestyle does not know; export it again',
    })
  }
}
