import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Names the version of the code that reads brand folders, by hashing that code. What one version read is never taken
 * for what another would read. package.json, which pins the libraries, is hashed too.
 */
export function readerVersion(): string {
  // `userAgent` is the major version of Node: a new one may bring a new Unicode.
  const digest = createHash('sha256').update(navigator.userAgent).update(readFileSync(PACKAGE))
  for (const room of ROOMS)
    for (const path of filesIn(room)) digest.update(path).update(readFileSync(new URL(path, room)))
  return digest.digest('hex').slice(0, 16)
}

const PACKAGE = new URL('../../package.json', import.meta.url)
const ROOMS = ['./', '../brand/', '../base/', '../fonts/'].map(room => new URL(room, import.meta.url))

/** The files of a room and of its inner rooms, by their paths in the room. */
function filesIn(room: URL): string[] {
  const entries = readdirSync(room, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return files.map(({ parentPath, name }) => relative(fileURLToPath(room), join(parentPath, name))).sort()
}
