import { createHash, hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorCode } from '../base/error.ts'
import { CODE, MODULE_EXTENSION, PACKAGE } from '../base/own-files.ts'
import { memoize } from '../base/text.ts'

/** The code on disk is not the code of this process, so a child process would have another version. */
export class CodeReplaced extends Error {
  constructor(options?: ErrorOptions) {
    super(CODE_REPLACED, options)
  }
}

export const CODE_REPLACED =
  'the installed package was replaced, moved or removed while the service runs: restart the service'

/** The programs of child processes, each with the hash of its code once that was read. */
const programs = new Map<string, string | undefined>()

/** Registers a program. A name without an extension gets that of the program's modules. */
export function registerProgram({ href }: URL): URL {
  const program = /\.\w+$/.test(href) ? href : href + MODULE_EXTENSION
  programs.set(program, programs.get(program))
  return new URL(program)
}

/** Reads the code of all programs, so that `assertUnchanged` refuses another version from now on. */
export function rememberPrograms(): void {
  // Programs import many of the same files.
  const read = memoize(readModule)
  for (const [href, hash] of programs) if (hash === undefined) programs.set(href, hashOf(href, read))
}

/** Throws `CodeReplaced` if a program or a module that it imports has changed since it was remembered. */
export function assertUnchanged({ href }: URL): void {
  const hash = programs.get(href)
  if (hash !== undefined && hash !== hashOf(href)) throw new CodeReplaced()
}

/** Hashes a program and, recursively, the files that it imports. Library packages are not included. */
function hashOf(program: string, read = readModule): string {
  const digest = createHash('sha256')
  const modules = new Set([program])
  for (const href of modules) {
    const { hash, imported } = read(href)
    digest.update(hash)
    for (const address of imported) modules.add(address)
  }
  return digest.digest('hex')
}

/** The hash of a file, and the addresses of the files that it imports. */
function readModule(href: string): { hash: string; imported: readonly string[] } {
  const text = readIfPresent(new URL(href))
  const imported = Array.from(text.matchAll(IMPORTED), ([, path = '']) => addressOf(path, href))
  return { hash: hash('sha256', text), imported }
}

/** `from './x.ts'`, `import '#base/x.ts'` or `import("../x.js")`: the group is the path of a file of ours. */
const IMPORTED = /\b(?:from|import)\s*(?:\(\s*)?["']((?:\.{1,2}\/|#)[^"']+\.[jt]s)["']/g

/** The address of an imported file: relative, or by the `imports` of package.json from `src`. */
function addressOf(path: string, importer: string): string {
  return (path.startsWith('#') ? new URL(path.slice(1), CODE) : new URL(path, importer)).href
}

/** The content of a file, with a character for each byte; empty if it is missing, which is a change, too. */
function readIfPresent(file: URL): string {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return ''
  }
}

/** Whether an error comes from code or assets of the package that are no longer where this process was started. */
export function isCodeReplaced(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof CodeReplaced || /^(?:ERR_)?MODULE_NOT_FOUND$/.test(`${errorCode(error)}`)) return true
  const isMissing = errorCode(error) === 'ENOENT' && 'path' in error
  return (isMissing && OWN_FILES.some(place => `${error.path}`.startsWith(place))) || isCodeReplaced(error.cause)
}

/** The code, and the files next to it that a service reads. */
const OWN_FILES = [CODE, new URL('schemas', PACKAGE), new URL('openapi.json', PACKAGE)].map(place =>
  fileURLToPath(place),
)
