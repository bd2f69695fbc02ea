import { type BrandFile, filename } from '../brand/file.ts'
import { openPathAllocator } from '../brand/portable-paths.ts'

/**
 * File names for copies in one folder. A name that another file has on some disk gets a number before its extension,
 * and a name that some system forbids is changed. `taken` are the names of existing files.
 */
export function assignCopyNames(files: Iterable<BrandFile>, taken: readonly string[]): ReadonlyMap<BrandFile, string> {
  const { take } = openPathAllocator()
  for (const name of taken) take(name)
  return new Map(Array.from(new Set(files), file => [file, take(filename(file.path))]))
}
