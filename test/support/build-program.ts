import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Builds the program as the package ships it in a new folder, which must be within the project, so that it finds the
 * libraries. Returns the path of its `bin/housestyle.js`.
 */
export function buildProgram(to: string): string {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts'), join(to, 'dist')], { stdio: 'pipe' })
  cpSync(join(ROOT, 'bin'), join(to, 'bin'), { recursive: true })
  const others = readdirSync(ROOT).filter(name => !['bin', 'dist', 'node_modules', 'src'].includes(name))
  for (const name of others) symlinkSync(join(ROOT, name), join(to, name))
  return join(to, 'bin/housestyle.js')
}
