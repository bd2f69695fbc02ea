import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let folder: Promise<string> | undefined
after(async () => folder && rm(await folder, { recursive: true }))

/** The path of `bin/housestyle.js` with the program as the package ships it, built once for the tests of a process. */
export async function builtProgram(): Promise<string> {
  folder ??= build()
  return join(await folder, 'bin/housestyle.js')
}

async function build(): Promise<string> {
  // Within the project, so that it finds the libraries.
  const cache = join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const to = await mkdtemp(join(cache, 'built-'))
  await promisify(execFile)(process.execPath, [join(ROOT, 'build.ts'), join(to, 'dist')])
  await cp(join(ROOT, 'bin'), join(to, 'bin'), { recursive: true })
  const others = (await readdir(ROOT)).filter(name => !['bin', 'dist', 'node_modules', 'src'].includes(name))
  for (const name of others) await symlink(join(ROOT, name), join(to, name))
  return to
}
