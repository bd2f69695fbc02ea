import { existsSync, mkdirSync, realpathSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openFolder } from '../../../intake/folder/open-folder.ts'
import { CHANGED, codeOf } from '../../../intake/folder/unreadable.ts'
import { CommandFailure, describeSystemError } from '../../failure.ts'
import { visible } from '../../output/text.ts'

/**
 * Refuses a folder that is not empty, apart from names that begin with a dot, such as `.git`.
 *
 * @param name the folder as the user typed it
 */
export async function requireEmpty(folder: string, name: string): Promise<void> {
  if (!existsSync(folder)) return
  const why = statSync(folder).isDirectory()
    ? (await readdir(folder)).some(entry => !entry.startsWith('.')) && 'is not empty: name a new folder'
    : 'is not a folder: name a new one'
  if (why)
    throw new CommandFailure('folder_not_empty', `${visible(name)} ${why}, for example with \`housestyle init acme\``)
}

/**
 * Writes files, keyed by path, into a new or empty folder. Runs synchronously, so that no signal can interrupt it. If a file
 * cannot be written, removes the others.
 */
export function writeNewFolder(folder: string, files: Readonly<Record<string, string>>): void {
  const made: Made[] = []
  // On a read-only disk, `recursive` fails with a misleading ENOENT, so it is not used if the parent exists.
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

/** A created file or folder, and the real path of its parent folder. */
type Made = { parent: string; name: string; isFolder: boolean }

/** Writes a new file. Fails if a symbolic link has replaced a folder in its path. */
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

/** Removes the created files and folders, unless another program has replaced them. */
function remove({ parent, name, isFolder }: Made): void {
  try {
    using folder = openFolder(parent)
    if (isFolder) rmdirSync(`${folder.place}/${name}`)
    else unlinkSync(`${folder.place}/${name}`)
  } catch {
    // The failure that is about to be thrown names the remaining path.
  }
}

/** Replaces the file descriptor in the error by the folder's path. */
function writeFailure(error: unknown, path: string): unknown {
  if (CHANGED_CODES.includes(codeOf(error)))
    return new CommandFailure(
      'folder_changed',
      `cannot write ${visible(path)}: another program writes there; remove its files, and start again when nothing else writes there`,
    )
  const message = describeSystemError(error, path)
  return message === undefined ? error : new CommandFailure('system_error', message)
}

/** Another program has written to the folder, or removed it. */
const CHANGED_CODES: readonly string[] = [CHANGED, 'EEXIST', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']
