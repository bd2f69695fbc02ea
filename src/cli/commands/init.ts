import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isWorkspaceId } from '../../brand/ids.ts'
import { slug } from '../../brand/slug.ts'
import { openFolder } from '../../intake/folder/open-folder.ts'
import { CHANGED, codeOf } from '../../intake/folder/unreadable.ts'
import { hasFlag, type Run } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import { printJson } from '../output/json.ts'
import { visible } from '../output/text.ts'
import { describeSystemError } from '../system-error.ts'
import { starterFiles } from './starter.ts'

/** `init [folder]` */
export const run: Run = async (args, io) => {
  const name = args.operands[0] ?? '.'
  const folder = resolve(io.folder, name)
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new CommandFailure(
      'folder_not_empty',
      `${visible(name)} is no folder: name a new one, as in housestyle init acme`,
    )
  // Of a disk that is read-only, `recursive` says ENOENT.
  if (existsSync(dirname(folder)) && !existsSync(folder)) mkdirSync(folder)
  mkdirSync(folder, { recursive: true })
  if ((await readdir(folder)).some(entry => !entry.startsWith('.')))
    throw new CommandFailure(
      'folder_not_empty',
      `${visible(name)} is not empty: name a new folder, as in housestyle init acme`,
    )
  const id = slug(basename(folder))
  const files = starterFiles(titleOf(basename(folder)), isWorkspaceId(id) ? undefined : 'brand')
  const root = realpathSync(folder)
  for (const [path, content] of Object.entries(files)) writeInto(root, path.split('/'), content)
  const paths = Object.keys(files)
  if (hasFlag(args, 'json')) printJson(io, { folder, files: paths })
  else
    io.out(
      `${paths.map(path => `${visible(join(name, path))}\n`).join('')}\nSee it: housestyle serve ${shellWord(visible(name))} --print-token\n`,
    )
  return 0
}

/** Writes a new file, and nowhere else: not through a folder that has become a symbolic link. */
function writeInto(path: string, [name = '', ...rest]: readonly string[], content: string): void {
  const inner = join(path, name)
  try {
    using folder = openFolder(path)
    if (rest.length === 0) return void writeFileSync(`${folder.place}/${name}`, content, { flag: 'wx' })
    mkdirSync(`${folder.place}/${name}`, { recursive: true })
  } catch (error) {
    throw inWords(error, inner)
  }
  writeInto(inner, rest, content)
}

/** The system would name the folder by its descriptor. */
function inWords(error: unknown, path: string): unknown {
  if (DISTURBED.includes(codeOf(error)))
    return new CommandFailure(
      'folder_changed',
      `cannot write ${visible(path)}: another program writes there; remove what is there, and start again when nothing does`,
    )
  const words = describeSystemError(error, path)
  return words === undefined ? error : new CommandFailure('system_error', words)
}

/** What stands in a folder that was empty, or does not stand in it any more. */
const DISTURBED: readonly string[] = [CHANGED, 'EEXIST', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']

/** A text as one word of a shell, so that the line can be copied. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A folder's name as people would write it in a heading. */
function titleOf(folder: string): string {
  const words = slug(folder).replaceAll('-', ' ') || 'our brand'
  return words.charAt(0).toUpperCase() + words.slice(1)
}
