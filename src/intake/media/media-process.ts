import process from 'node:process'
import { serial } from '../../base/promise.ts'
import { type OpenFile, openFile, versionOf } from '../folder/open-file.ts'
import { CHANGED, Unreadable } from '../folder/unreadable.ts'
import type { MediaAnswer, MediaTask } from './media-task.ts'

// The program of a process of its own, which ends when the one that started it lets go.
const inTurn = serial()
process.on('message', (task: MediaTask) =>
  inTurn(async () => {
    const read = await readerOf(task) // Outside `answer`: that it cannot be loaded is no fault of the file.
    process.send?.(await answer(task, read))
  }),
)

type Read = (file: OpenFile, contentType: string) => MediaAnswer | Promise<MediaAnswer>

async function readerOf(task: MediaTask): Promise<Read> {
  if (task.kind === 'font') return (await import('./font.ts')).readFont
  if (task.contentType === 'image/svg+xml') return (await import('./svg.ts')).readSvg
  return (await import('./raster.ts')).readRaster
}

async function answer(task: MediaTask, read: Read): Promise<MediaAnswer> {
  try {
    using file = openFile(task.path)
    if (versionOf(file.stat) !== task.version) return { unreadable: CHANGED }
    return await read(file, task.contentType)
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.code }
    // Parsers throw at bytes that are not what they should be; what they say of it helps nobody here.
    return { problem: 'it is damaged, or of a form that housestyle does not know; export it again' }
  }
}
