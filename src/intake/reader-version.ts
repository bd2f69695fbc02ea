import { createHash, hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Names the version of the code that reads brand folders, by hashing that code. What one version read is never taken
 * for what another would read. package.json, which pins the libraries, is hashed too. What is built has its version beside
 * it, as `build.ts` has put it there.
 */
export function readerVersion(): string {
  const code = existsSync(BUILT) ? readFileSync(BUILT, 'utf8') : hashOfCode()
  // `userAgent` is the major version of Node: a new one may bring a new Unicode.
  return hash('sha256', navigator.userAgent + code).slice(0, 16)
}

/** Hashes the code, as it stands in src/. */
export function hashOfCode(): string {
  const digest = createHash('sha256').update(readFileSync(PACKAGE))
  for (const room of ROOMS)
    for (const path of filesIn(room)) digest.update(path).update(readFileSync(new URL(path, room)))
  return digest.digest('hex')
}

const BUILT = new URL('./reader-version.txt', import.meta.url)
const PACKAGE = new URL('../../package.json', import.meta.url)
const ROOMS = ['./', '../brand/', '../base/', '../fonts/'].map(room => new URL(room, import.meta.url))

/** The files of a room and of its inner rooms, by their paths in the room. */
function filesIn(room: URL): string[] {
  const entries = readdirSync(room, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return files.map(({ parentPath, name }) => relative(fileURLToPath(room), join(parentPath, name))).sort()
}
