import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isWorkspaceId } from '../brand/ids.ts'
import { slug } from '../brand/slug.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson, visible } from './io.ts'
import { starterFiles } from './starter.ts'

/** `init [folder]` */
export const run: Run = async (given, io) => {
  const name = given.operands[0] ?? '.'
  const folder = resolve(io.folder, name)
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new CommandFailure(
      'not-a-folder',
      `${visible(name)} is no folder: name a new one, as in housestyle init acme`,
    )
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).some(entry => !entry.startsWith('.')))
    throw new CommandFailure(
      'not-empty',
      `${visible(name)} is not empty: name a new folder, as in housestyle init acme`,
    )
  const id = slug(basename(folder))
  const files = starterFiles(titleOf(basename(folder)), isWorkspaceId(id) ? undefined : 'brand')
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content, { flag: 'wx' })
  }
  const paths = Object.keys(files)
  if (isGiven(given, 'json')) printJson(io, { folder, files: paths })
  else
    io.out(
      `${paths.map(path => `${visible(join(name, path))}\n`).join('')}\nSee it: housestyle serve ${shellWord(visible(name))} --print-token\n`,
    )
  return 0
}

/** A text as one word of a shell, so that the line can be copied. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A folder's name as people would write it in a heading. */
function titleOf(folder: string): string {
  const words = slug(folder).replaceAll('-', ' ') || 'our brand'
  return words.charAt(0).toUpperCase() + words.slice(1)
}
