import { existsSync, mkdirSync, realpathSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openFolder } from '../../../intake/folder/open-folder.ts'
import { CHANGED, codeOf } from '../../../intake/folder/unreadable.ts'
import { CommandFailure } from '../../failure.ts'
import { visible } from '../../output/text.ts'
import { describeSystemError } from '../../system-error.ts'

/**
 * Refuses a folder in which something stands; names that begin with a dot, as `.git`, may.
 *
 * @param name the folder as the command names it
 */
export async function requireEmpty(folder: string, name: string): Promise<void> {
  if (!existsSync(folder)) return
  const why = statSync(folder).isDirectory()
    ? (await readdir(folder)).some(entry => !entry.startsWith('.')) && 'is not empty: name a new folder'
    : 'is no folder: name a new one'
  if (why)
    throw new CommandFailure('folder_not_empty', `${visible(name)} ${why}, for example with \`housestyle init acme\``)
}

/**
 * Writes files by their paths into a new or empty folder, without a pause in which a signal could end it. If one cannot
 * be written, those that were are removed.
 */
export function writeNewFolder(folder: string, files: Readonly<Record<string, string>>): void {
  const made: Made[] = []
  // On a read-only disk, `recursive` fails with a misleading ENOENT, so an existing parent is tried without it.
  if (!existsSync(folder)) {
    if (!existsSync(dirname(folder))) mkdirSync(dirname(folder), { recursive: true })
    mkdirSync(folder)
    made.push({ parent: realpathSync(dirname(folder)), name: basename(folder), isFolder: true })
  }
  try {
    const root = realpathSync(folder)
    for (const [path, content] of Object.entries(files)) writeInto(root, path.split('/'), content, made)
  } catch (error) {
    for (const each of made.reverse()) remove(each)
    throw error
  }
}

/** A file or folder that was made, and the real path of the folder that it is in. */
type Made = { parent: string; name: string; isFolder: boolean }

/** Writes a new file. Fails if a symbolic link has replaced a folder on the way. */
function writeInto(path: string, [name = '', ...rest]: readonly string[], content: string, made: Made[]): void {
  const inner = join(path, name)
  try {
    using folder = openFolder(path)
    const place = `${folder.place}/${name}`
    if (rest.length === 0) {
      writeFileSync(place, content, { flag: 'wx' })
      made.push({ parent: path, name, isFolder: false })
      return
    }
    if (mkdirSync(place, { recursive: true }) !== undefined) made.push({ parent: path, name, isFolder: true })
  } catch (error) {
    throw writeFailure(error, inner)
  }
  writeInto(inner, rest, content, made)
}

/** Removes what was made, unless another program has put something else there. */
function remove({ parent, name, isFolder }: Made): void {
  try {
    using folder = openFolder(parent)
    if (isFolder) rmdirSync(`${folder.place}/${name}`)
    else unlinkSync(`${folder.place}/${name}`)
  } catch {
    // What cannot be removed stays, and the failure that is on its way says where.
  }
}

/** The error names the folder by its file descriptor; the failure names it by its path. */
function writeFailure(error: unknown, path: string): unknown {
  if (CHANGED_CODES.includes(codeOf(error)))
    return new CommandFailure(
      'folder_changed',
      `cannot write ${visible(path)}: another program writes there; remove what is there, and start again when nothing does`,
    )
  const message = describeSystemError(error, path)
  return message === undefined ? error : new CommandFailure('system_error', message)
}

/** Another program has written to the folder, or removed it. */
const CHANGED_CODES: readonly string[] = [CHANGED, 'EEXIST', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']
