import { lstat } from 'node:fs/promises'
import type { Hash } from '../brand/ids.ts'
import type { MediaReading } from './media.ts'

/** What a file is, whatever is written of it elsewhere; or the system's name for why it cannot be read. */
export type FileFacts = { bytes: { hash: Hash; size: number }; media: MediaReading } | string

/** Gives what is remembered of the file at an absolute path, where it has not changed since; else has it read. */
export type FileMemory = (path: string, read: () => Promise<FileFacts>) => Promise<FileFacts>

/** A memory for a folder that is read again and again, so that only files that have changed are opened. */
export function openFileMemory(): FileMemory {
  const known = new Map<string, { state: string; facts: FileFacts }>()
  return async (path, read) => {
    const stat = await lstat(path, { bigint: true }).catch(() => undefined)
    if (!stat) return read()
    const state = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
    const before = known.get(path)
    if (before?.state === state) return before.facts
    const facts = await read()
    // What was written a moment ago may be written again and keep its times, where the clock of the disk is coarse.
    if (Date.now() - Number(stat.ctimeMs) > SETTLED_MS) known.set(path, { state, facts })
    else known.delete(path)
    return facts
  }
}

/** FAT counts in steps of two seconds; others in milliseconds. */
const SETTLED_MS = 3000
