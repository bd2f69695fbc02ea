import { type BrandFile, filename } from '../brand/file.ts'
import { openPathAllocator } from '../brand/portable-paths.ts'

/**
 * The names of files that are copied into one folder: their own, with a number before the extension if another one has that
 * on some disk, and changed where some system forbids them. `taken` are names of files that exist already.
 */
export function assignCopyNames(files: Iterable<BrandFile>, taken: readonly string[]): ReadonlyMap<BrandFile, string> {
  const { take } = openPathAllocator()
  for (const name of taken) take(name)
  return new Map(Array.from(new Set(files), file => [file, take(filename(file.path))]))
}
