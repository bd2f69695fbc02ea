import { realpathSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after } from 'node:test'
import { type MediaReading, openMediaReader } from '#intake/media/media.ts'

/** A folder that is removed after the tests of a file, and a reader for files in it. */
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
    /** Reads the file at a path. */
    readPath: async (file: string): Promise<MediaReading> =>
      withoutScripts(await reader.read(join(realpathSync(dirname(file)), basename(file)), file)),
    /** Writes a file and reads it. */
    async read(name: string, content: Uint8Array | string): Promise<MediaReading> {
      await writeFile(path(name), content)
      return withoutScripts(await reader.read(path(name), name))
    },
  }
}

/** The scripts of a font are in `scriptsOf`'s own test. */
function withoutScripts({ scripts: _, ...reading }: MediaReading): MediaReading {
  return reading
}

/** The expected result for a file that matches its name, without problems. */
export function reading(contentType: string, rest: Omit<MediaReading, 'contentType' | 'problems'> = {}): MediaReading {
  return { contentType, ...rest, problems: [] }
}

/** The expected result for an unreadable font or picture. */
export function unreadable(contentType: string, problem: string): MediaReading {
  const kind = contentType.startsWith('font/') ? 'font' : 'picture'
  const message = `cannot read the ${kind}, so it is served without metadata: ${problem}`
  return { contentType, problems: [{ rule: `${kind}-unreadable`, line: null, message }] }
}
