import { mkdir, mkdtemp, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Entry } from './sources/source.ts'

/** A file of the new folder: its content, or a file of the source. */
export type NewFile = { to: string; content: string | Uint8Array | Entry }

/** Writes a folder as a whole: it appears at its place when it is complete, or nothing of it remains. */
export async function writeWhole(target: string, files: readonly NewFile[], signal: AbortSignal): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const staging = await mkdtemp(join(dirname(target), '.housestyle-'))
  try {
    for (const { to, content } of files) {
      signal.throwIfAborted()
      const path = join(staging, to)
      await mkdir(dirname(path), { recursive: true })
      if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content, { flag: 'wx' })
      else await content.copyTo(path)
    }
    await rmdir(target).catch(() => undefined)
    await rename(staging, target)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}
