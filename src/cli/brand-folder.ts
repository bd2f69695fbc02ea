import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { codeOf } from '../intake/folder/unreadable.ts'
import { openMediaReader } from '../intake/media/media.ts'
import type { ReadOptions } from '../intake/reading.ts'
import type { Settings } from '../settings.ts'
import { CommandFailure } from './failure.ts'
import type { Io } from './io.ts'
import { withProgress } from './output/progress.ts'
import { visible } from './output/text.ts'

/** The absolute path of a brand folder. Fails if there is no such folder. */
export async function findBrandFolder(name: string, io: Io): Promise<string> {
  const folder = resolve(io.folder, name)
  const found = await stat(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
  })
  if (found?.isDirectory()) return folder
  const why = found ? 'is not a folder' : 'does not exist'
  throw new CommandFailure('folder_missing', `cannot read ${visible(name)}: it ${why}; name a brand folder`)
}

/** Runs work that reads a brand folder. Provides a reader for fonts and pictures, limits, and progress on a terminal. */
export async function withReadOptions<Value>(
  settings: Pick<Settings, 'maxFile' | 'maxItems'>,
  io: Io,
  work: (options: Omit<ReadOptions, 'targetFor'>) => Promise<Value>,
): Promise<Value> {
  const media = openMediaReader()
  try {
    const { maxFile, maxItems } = settings
    const options = { media, caps: { maxFile, maxItems }, signal: io.signal }
    return await withProgress(io, progress => work({ ...options, progress }))
  } finally {
    await media.close()
  }
}
