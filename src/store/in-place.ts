import { statSync } from 'node:fs'

/**
 * Remembers which folder or file stands at each path; gives whether the same still do, by device and inode. What was
 * moved away and back is the same. Throws where that cannot be seen.
 */
export function remainInPlace(paths: readonly string[]): () => boolean {
  const identities = paths.map(identityOf)
  return () => paths.every((path, at) => identityOf(path) === identities[at])
}

function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev} ${found.ino}` : 'none'
}
