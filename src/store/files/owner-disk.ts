import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files } from './files.ts'

/** Whom the files in a folder belong to stands in a file of its own, which is whole or not there. */
export function ownerOnDisk(folder: string): Pick<Files, 'owner' | 'own'> {
  const path = join(folder, '.store')
  return {
    owner: async () => (existsSync(path) ? (await readFile(path, 'utf8')).trim() || undefined : undefined),
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
