import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/**
 * Reads a regular file of at most 1 MiB.
 *
 * @throws for anything else, because reading a pipe or a device might never end
 */
export function readPlainFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (stat.isFile() && stat.size <= MAX_BYTES) return readFileSync(file, 'utf8')
    throw new Error('it is not a regular file of at most 1 MiB')
  } finally {
    closeSync(file)
  }
}

const MAX_BYTES = 1 << 20
