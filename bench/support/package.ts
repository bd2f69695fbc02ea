import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Builds, packs and unpacks the package, which contains its dependencies, so that it runs without src/. Returns its bin. */
export function unpackPackage(folder: string): string {
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'ignore' })
  execFileSync('sh', ['-c', 'tar -xzf housestyle-*.tgz'], { cwd: folder })
  return join(folder, 'package/bin/housestyle.js')
}
