import { constants, type Stats } from 'node:fs'
import { access, copyFile, lstat, readdir, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { identityOf } from '#intake/folder/file-version.ts'
import { fileChunks } from '#intake/folder/open-file.ts'
import { errorCode } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { compareStrings, wordSet } from '#platform/base/text.ts'
import { folderReason } from './leave-out.ts'
import { type Entry, type Listing, proveCount, tooLarge } from './source.ts'

/** Lists a folder in the order of its paths, except the folder that is to be written. Never follows links. */
export async function listFolder(folder: string, label: string, target: string): Promise<Listing> {
  const root = await realpath(folder)
  const ownTarget = await realpath(target).catch(() => target)
  const [entries, leftOut]: [Entry[], Listing['leftOut']] = [[], []]
  const leave = (path: string, reason: string, detail?: string) =>
    leftOut.push(withoutUndefined({ path: label + path, reason, detail }))
  const below = async (path: string) => {
    const found = await readdir(join(root, path), { withFileTypes: true }).catch((error: unknown) => {
      if (path === '') throw error
      leave(`${path}/`, 'cannot be listed', errorCode(error))
      return []
    })
    for (const entry of found.sort((a, b) => compareStrings(a.name, b.name))) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      const place = join(root, inside)
      if (place === ownTarget) continue
      if (entry.isDirectory() && NEVER_LISTED.has(entry.name)) leave(`${inside}/`, folderReason(entry.name) ?? '')
      else if (entry.isDirectory()) await below(inside)
      else if (!entry.isFile()) leave(inside, 'a link or special file, which is never followed')
      else if (entry.name.includes('\ufffd')) leave(inside, 'its name is not UTF-8')
      else {
        const denied = await access(place, constants.R_OK).then(() => undefined, errorCode)
        if (denied !== undefined) leave(inside, 'cannot be read', denied)
        else entries.push(fileEntry(place, inside, label, await lstat(place)))
      }
    }
    proveCount(entries.length, basename(root))
  }
  await below('')
  return { name: basename(root), entries, leftOut }
}

/** Folders that are left out, and may have very many files. */
const NEVER_LISTED =
  wordSet(`node_modules bower_components .git .hg .svn .venv .next .nuxt .cache .docusaurus .yarn .tox
  .terraform`)

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
