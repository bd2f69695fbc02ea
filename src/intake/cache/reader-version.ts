import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Names the programs that read brand folders, by their own bytes: what one version has read says nothing of what another
 * would. Libraries are those that package.json pins.
 */
export function readerVersion(): string {
  // Node's own major version: a new one may bring a new Unicode.
  const digest = createHash('sha256').update(navigator.userAgent).update(readFileSync(PACKAGE))
  for (const room of ROOMS)
    for (const path of filesIn(room)) digest.update(path).update(readFileSync(new URL(path, room)))
  return digest.digest('hex').slice(0, 16)
}

const PACKAGE = new URL('../../../package.json', import.meta.url)
const ROOMS = ['../', '../../brand/', '../../base/'].map(room => new URL(room, import.meta.url))

/** The files of a room and of its inner rooms, by their paths in it. */
function filesIn(room: URL): string[] {
  const entries = readdirSync(room, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return files.map(({ parentPath, name }) => relative(fileURLToPath(room), join(parentPath, name))).sort()
}
