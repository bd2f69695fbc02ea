import { constants, existsSync, readdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files } from './files.ts'
import { receiveOnDisk } from './incoming-disk.ts'

/**
 * Keeps files in a folder, as `{workspace}/{first two digits}/{hash}`; what is still being written stands in `.incoming`,
 * which no workspace is called.
 */
export function openDiskFiles(folder: string): Files {
  const place = (workspace: string, hash: string) => join(folder, workspace, hash.slice(0, 2), hash)
  return {
    receive: workspace => receiveOnDisk(folder, workspace),
    carry: async (from, to, hash) => {
      if (existsSync(place(to, hash))) return
      const incoming = receiveOnDisk(folder, to)
      try {
        await using source = await open(place(from, hash), constants.O_RDONLY)
        const found = await incoming.add(source.createReadStream({ autoClose: false, highWaterMark: 1 << 18 }))
        if (found !== hash) throw new Error(`the store's file ${hash} of ${from} is damaged: restore it from a backup`)
        await incoming.settle()
      } finally {
        incoming.discard()
      }
    },
    open: async (workspace, hash) => {
      const handle = await openIfThere(place(workspace, hash))
      return handle?.createReadStream()
    },
    list: workspace => {
      const parts = existsSync(join(folder, workspace)) ? readdirSync(join(folder, workspace)) : []
      return new Set(parts.flatMap(part => readdirSync(join(folder, workspace, part))))
    },
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
