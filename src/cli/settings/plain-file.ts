import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** The text of a plain file of at most 1 MiB; never of a pipe or a device, which could be read for ever. Throws for others. */
export function readPlainFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (stat.isFile() && stat.size <= LARGEST) return readFileSync(file, 'utf8')
    throw new Error('it is no plain file of at most 1 MiB')
  } finally {
    closeSync(file)
  }
}

const LARGEST = 1 << 20
