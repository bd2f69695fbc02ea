import { lstat } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { errorCode, OperationalError } from '#base/error.ts'
import { fileEntry, listFolder } from './folder.ts'
import type { Listing } from './source.ts'

/** Opens a folder or a file as a source. `label` begins its paths in the report; `target` is the folder to be written. */
export async function openSource(path: string, label: string, target: string): Promise<Listing> {
  const place = resolve(path)
  const stat = await lstat(place).catch((error: unknown) => {
    const why = errorCode(error) === 'ENOENT' ? 'there is no such file or folder' : errorCode(error)
    throw new OperationalError('source_unreadable', `cannot read ${path}: ${why}`)
  })
  if (stat.isDirectory()) return listFolder(place, label, target)
  const entries = [fileEntry(place, basename(place), label, stat)]
  const name = basename(place, extname(place))
  return { name, entries, leftOut: [], [Symbol.asyncDispose]: async () => undefined }
}
