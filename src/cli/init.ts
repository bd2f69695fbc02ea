import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { slug } from '../brand/slug.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { printJson, visible } from './io.ts'
import { starterFiles } from './starter.ts'

/** `init [folder]` */
export const run: Run = async (given, io) => {
  const name = given.operands[0] ?? '.'
  const folder = resolve(io.folder, name)
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).some(entry => !entry.startsWith('.')))
    throw new CommandFailure(
      'not-empty',
      `${visible(name)} is not empty: name a new folder, as in housestyle init acme`,
    )
  const files = starterFiles(titleOf(basename(folder)))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content, { flag: 'wx' })
  }
  const paths = Object.keys(files)
  if (isGiven(given, 'json')) printJson(io, { folder, files: paths })
  else
    io.out(`${paths.map(path => `${join(name, path)}\n`).join('')}\nSee it: housestyle serve ${name} --print-token\n`)
  return 0
}

/** A folder's name as people would write it in a heading. */
function titleOf(folder: string): string {
  const words = slug(folder).replaceAll('-', ' ') || 'our brand'
  return words.charAt(0).toUpperCase() + words.slice(1)
}
