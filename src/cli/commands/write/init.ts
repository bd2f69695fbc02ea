import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { shellWord } from '../../../base/text.ts'
import { isWorkspaceId } from '../../../brand/ids.ts'
import { slug } from '../../../brand/slug.ts'
import { openFolder } from '../../../intake/folder/open-folder.ts'
import { CHANGED, codeOf } from '../../../intake/folder/unreadable.ts'
import { hasFlag, type Run } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { printJson } from '../../output/json.ts'
import { visible } from '../../output/text.ts'
import { describeSystemError } from '../../system-error.ts'
import { withSchemas } from './editor-schemas.ts'
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
  // On a read-only disk, `recursive` fails with a misleading ENOENT, so an existing parent is tried without it.
  if (existsSync(dirname(folder)) && !existsSync(folder)) mkdirSync(folder)
  mkdirSync(folder, { recursive: true })
  if ((await readdir(folder)).some(entry => !entry.startsWith('.')))
    throw new CommandFailure(
      'folder_not_empty',
      `${visible(name)} is not empty: name a new folder, as in housestyle init acme`,
    )
  const id = slug(basename(folder))
  const files = withSchemas(starterFiles(titleOf(basename(folder)), isWorkspaceId(id) ? id : 'brand'))
  const root = realpathSync(folder)
  for (const [path, content] of Object.entries(files)) writeInto(root, path.split('/'), content)
  const paths = Object.keys(files)
  if (hasFlag(args, 'json')) printJson(io, { folder, files: paths })
  else {
    for (const path of paths) io.out(`${visible(join(name, path))}\n`)
    io.out(`\nSee it: housestyle dev ${shellWord(visible(name))}\n`)
  }
  return 0
}

/** Writes a new file. Fails if a symbolic link has replaced a folder on the way. */
function writeInto(path: string, [name = '', ...rest]: readonly string[], content: string): void {
  const inner = join(path, name)
  try {
    using folder = openFolder(path)
    if (rest.length === 0) return void writeFileSync(`${folder.place}/${name}`, content, { flag: 'wx' })
    mkdirSync(`${folder.place}/${name}`, { recursive: true })
  } catch (error) {
    throw writeFailure(error, inner)
  }
  writeInto(inner, rest, content)
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

/** The name of a folder as a title: `our-brand` gives `Our brand`. */
function titleOf(folder: string): string {
  const words = slug(folder).replaceAll('-', ' ') || 'our brand'
  return words.charAt(0).toUpperCase() + words.slice(1)
}
