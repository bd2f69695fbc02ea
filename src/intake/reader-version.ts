import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Names the programs that read brand folders, by their own bytes: what one version has read says nothing of what another
 * would. Libraries are those that package.json pins.
 */
export function readerVersion(): string {
  // Node's own major version: a new one may bring a new Unicode.
  const digest = createHash('sha256').update(navigator.userAgent).update(readFileSync(PACKAGE))
  for (const folder of FOLDERS)
    for (const name of readdirSync(folder).sort()) digest.update(name).update(readFileSync(new URL(name, folder)))
  return digest.digest('hex').slice(0, 16)
}

const PACKAGE = new URL('../../package.json', import.meta.url)
const FOLDERS = [new URL('./', import.meta.url), new URL('../brand/', import.meta.url)]
