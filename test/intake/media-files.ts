import { realpathSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after } from 'node:test'
import { type MediaReading, openMediaReader } from '../../src/intake/media/media.ts'

/** A folder that is gone after the tests of its file, and a reader for what is put there. */
export async function mediaFolder(options: { timeoutMs?: number } = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'housestyle-media-')))
  const reader = openMediaReader(options)
  after(async () => {
    await reader.close()
    await rm(folder, { recursive: true })
  })
  const path = (name: string) => join(folder, name)
  return {
    path,
    /** Reads a file by its path. */
    readPath: (file: string): Promise<MediaReading> =>
      reader.read(join(realpathSync(dirname(file)), basename(file)), file),
    /** Writes a file and reads it. */
    async read(name: string, content: Uint8Array | string): Promise<MediaReading> {
      await writeFile(path(name), content)
      return reader.read(path(name), name)
    },
  }
}

/** The reading of a file that is what it says, with nothing to problem. */
export function reading(contentType: string, rest: Omit<MediaReading, 'contentType' | 'problems'> = {}): MediaReading {
  return { contentType, ...rest, problems: [] }
}

/** The reading of a font or picture that cannot be read, for a reason. */
export function unreadable(contentType: string, problem: string): MediaReading {
  const kind = contentType.startsWith('font/') ? 'font' : 'picture'
  const message = `cannot read the ${kind}, so it is served without metadata: ${problem}`
  return { contentType, problems: [{ rule: `${kind}-unreadable`, line: null, message }] }
}
