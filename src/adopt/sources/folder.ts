import { constants, type Dirent, type Stats } from 'node:fs'
import { access, copyFile, lstat, readdir, realpath } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import { identityOf } from '#intake/folder/file-version.ts'
import { fileChunks } from '#intake/folder/open-file.ts'
import { errorCode } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { compareStrings, wordSet } from '#platform/base/text.ts'
import type { Reason } from '../report/report.ts'
import { CACHE_FOLDERS } from './generators/table.ts'
import { folderReason } from './leave-out.ts'
import { type Entry, type Listing, proveCount, tooLarge } from './source.ts'

/** Lists a folder in the order of its paths, except the folder that is to be written. Never follows links. */
export async function listFolder(folder: string, label: string, target: string): Promise<Listing> {
  const root = await realpath(folder)
  const ownTarget = await realpath(target).catch(() => target)
  const [entries, leftOut]: [Entry[], Listing['leftOut']] = [[], []]
  const leave = (path: string, why: Reason) => leftOut.push({ path: label + path, ...why })
  const below = async (folder: string) => {
    const items = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (folder === '') throw error
      leave(`${folder}/`, withoutUndefined({ reason: 'cannot be listed', detail: errorCode(error) }))
      return []
    })
    for (const item of items.sort((a, b) => compareStrings(a.name, b.name))) {
      const path = posix.join(folder, item.name)
      const place = join(root, path)
      if (place === ownTarget) continue
      const why = await obstacleOf(item, place)
      if (why) leave(item.isDirectory() ? `${path}/` : path, why)
      else if (item.isDirectory()) await below(path)
      else entries.push(fileEntry(place, path, label, await lstat(place)))
    }
    proveCount(entries.length, basename(root))
  }
  await below('')
  return { name: basename(root), entries, leftOut }
}

/** Why a file or folder is not read; undefined if it is. */
async function obstacleOf(item: Dirent, place: string): Promise<Reason | undefined> {
  const { name } = item
  if (item.isDirectory()) return NEVER_LISTED.has(name) ? folderReason(name) : undefined
  if (!item.isFile()) return { reason: 'a link or special file, which is never followed' }
  if (name.includes('\ufffd')) return { reason: 'its name is not UTF-8' }
  const denied = await access(place, constants.R_OK).then(() => undefined, errorCode)
  return denied === undefined ? undefined : { reason: 'cannot be read', detail: denied }
}

/** Folders that are left out, and may have very many files. */
const NEVER_LISTED = wordSet(`node_modules bower_components .git .hg .svn .venv .cache .yarn .tox .terraform`).union(
  CACHE_FOLDERS,
)

export function fileEntry(place: string, path: string, label: string, stat: Stats): Entry {
  return {
    path,
    label,
    place,
    size: stat.size,
    modified: stat.mtime,
    read: async maxBytes => {
      const parts: Uint8Array[] = []
      let length = 0
      for await (const part of fileChunks(place, identityOf(stat))) {
        length += part.length
        if (length > maxBytes) throw tooLarge(maxBytes)
        parts.push(part)
      }
      return Buffer.concat(parts)
    },
    copyTo: to => copyFile(place, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE),
  }
}
