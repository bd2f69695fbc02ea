import { execFile, execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = dirname(import.meta.dirname)

/** Builds, packs and unpacks the package into a folder, where it has no src/, as when it is installed; gives its bin. */
export function unpackPackage(folder: string): string {
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'ignore' })
  execFileSync('sh', ['-c', 'tar -xzf housestyle-*.tgz'], { cwd: folder })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'package/bin/housestyle.js')
}

/** Imports and publishes a brand folder, however long that takes, and gives what to open the store with, and a token. */
export async function publishFolder(
  bin: string,
  brand: string,
  data: string,
): Promise<{ args: string[]; token: string }> {
  const args = ['--data', data]
  const run = (...given: string[]) =>
    promisify(execFile)(process.execPath, [bin, ...given, ...args], { maxBuffer: 1 << 26 })
  await run('import', brand)
  await run('publish', '--all')
  const { stdout } = await run('token', 'issue', basename(brand))
  return { args, token: stdout.trim() }
}
