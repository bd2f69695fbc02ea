import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files } from './files.ts'
import { openIfPlain } from './kept-disk.ts'

/** Whom the files in a folder belong to stands in a file of its own, which is whole or not there. */
export function ownerOnDisk(folder: string): Pick<Files, 'owner' | 'own'> {
  const path = join(folder, '.store')
  return {
    owner: async () => {
      await using file = await openIfPlain(path)
      return file && ((await file.readFile('utf8')).trim() || undefined)
    },
    own: async urn => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = `${path}-${randomUUID()}`
      try {
        await write(temporary, `${urn}\n`)
        await rename(temporary, path)
      } finally {
        await rm(temporary, { force: true })
      }
      await using parent = await open(folder)
      await parent.sync()
    },
  }
}

async function write(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}
