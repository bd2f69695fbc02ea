import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)

/** Builds, packs and unpacks the package into a folder, where it has no src/, as when it is installed; gives its bin. */
export function unpackPackage(folder: string): string {
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'ignore' })
  execFileSync('sh', ['-c', 'tar -xzf housestyle-*.tgz'], { cwd: folder })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'package/bin/housestyle.js')
}
