import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Builds, packs and unpacks the package into a folder, so that it runs without src/, as users have it. Returns its bin. */
export function unpackPackage(folder: string): string {
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'ignore' })
  execFileSync('sh', ['-c', 'tar -xzf housestyle-*.tgz'], { cwd: folder })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'package/bin/housestyle.js')
}
