import { type BrandFile, filename } from '../brand/file.ts'

/**
 * The names of files that are copied into one folder: their own, with a number before the extension if another one has that,
 * in any case, since many file systems do not tell the two apart. `taken` are names of files that are there already.
 */
export function pathsBeside(files: Iterable<BrandFile>, taken: readonly string[]): ReadonlyMap<BrandFile, string> {
  const used = new Set(taken.map(folded))
  const paths = new Map<BrandFile, string>()
  const counts = new Map<string, number>()
  for (const file of new Set(files)) {
    const name = filename(file.path)
    const at = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length
    let free = name
    let number = counts.get(folded(name)) ?? 1
    while (used.has(folded(free))) free = `${name.slice(0, at)}-${++number}${name.slice(at)}`
    counts.set(folded(name), number)
    used.add(folded(free))
    paths.set(file, free)
  }
  return paths
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
