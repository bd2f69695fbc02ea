import { createHash, hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CODE, PACKAGE } from '#platform/base/own-files.ts'

/**
 * The version of the code that reads brand folders: a hash of that code and of package.json, which pins the libraries.
 * Results that one version cached are never used by another. In a build, `scripts/build.ts` writes the version to a file next
 * to this one.
 */
export function readerVersion(): string {
  const code = existsSync(BUILT) ? readFileSync(BUILT, 'utf8') : hashOfCode()
  // `userAgent` contains the major version of Node, which may bring a new Unicode version.
  return hash('sha256', navigator.userAgent + code).slice(0, 16)
}

/** Hashes the source code in src/. */
export function hashOfCode(): string {
  const digest = createHash('sha256').update(readFileSync(new URL('package.json', PACKAGE)))
  for (const module of MODULES)
    for (const path of filesIn(module)) digest.update(path).update(readFileSync(new URL(path, module)))
  return digest.digest('hex')
}

const BUILT = new URL('intake/reader-version.txt', CODE)
const MODULES = ['intake/', 'brand/', 'formats/', 'platform/base/'].map(folder => new URL(folder, CODE))

/** The relative paths of the files in a module folder, including subfolders. */
function filesIn(folder: URL): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return files.map(({ parentPath, name }) => relative(fileURLToPath(folder), join(parentPath, name))).sort()
}
