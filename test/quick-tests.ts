import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf } from './house/modules.ts'

/**
 * Modules that start servers, browsers or other processes, or connect to them; `node:module` observes how code is
 * loaded, which needs a process of its own.
 */
const SLOW: ReadonlySet<string> = new Set(
  `
  node:child_process node:http node:https node:module node:net node:tls node:worker_threads
  playwright-core pg ioredis @aws-sdk/client-s3
`
    .trim()
    .split(/\s+/),
)

/** Quick functions of slow modules, such as `isIP`. */
const QUICK_IMPORT = /^import \{ (?:(?:isIP(?:v[46])?|BlockList|STATUS_CODES)(?:, )?)+ \} from 'node:\w+'$/gm

/**
 * The test files that need no server, browser or other process: no file of `src` and `test` that they import, directly
 * or through others, imports a slow module. Type imports do not count. Paths are relative to `root`.
 */
export function quickTests(files: readonly string[], root: string): string[] {
  const slow = new Map<string, boolean>()
  const isSlow = (file: string): boolean => {
    const known = slow.get(file)
    if (known !== undefined) return known
    slow.set(file, false) // This ends circular imports.
    const result = importsIn(file, root).some(name => SLOW.has(name) || (isOurs(name, root) && isSlow(name)))
    slow.set(file, result)
    return result
  }
  return files.filter(file => !isSlow(file))
}

function isOurs(name: string, root: string): boolean {
  return /^(?:src|test)\/.*\.ts$/.test(name) && existsSync(join(root, name))
}

const IMPORTS = [
  /^(?:import|export)\s+(?!type\s)[\w$*\s{},]*?\sfrom\s+'([^']+)'/gm,
  /^import\s+'([^']+)'/gm,
  /\bimport\(\s*'([^']+)'/g,
]

function importsIn(file: string, root: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(QUICK_IMPORT, '')
  return IMPORTS.flatMap(pattern => Array.from(text.matchAll(pattern), ([, name = '']) => pathOf(file, name)))
}
