import { globTokens, isCovered } from '#brand/glob.ts'
import { compareKeys } from '#brand/page.ts'
import type { FindFile } from './file-notes.ts'
import type { FileEntry } from './files-file.ts'

/** An entry of files.yaml with the paths of its files; `isExact` if its key is the path of one file. */
export type MatchedEntry = { entry: FileEntry; paths: readonly string[]; isExact: boolean }

/** Whether the key of an entry names all files of a pattern with `*`, or of a folder that ends in `/`. */
export function isPattern({ path }: FileEntry): boolean {
  return path.includes('*') || path.endsWith('/')
}

/** The paths that a pattern or folder covers below `files/` or `pages/`. */
export function coveredPaths({ path }: FileEntry, paths: readonly string[]): readonly string[] {
  const glob = (path.endsWith('/') ? `${path}**` : path).normalize('NFC')
  const [tokens, [start = '']] = [globTokens(glob), glob.split(/[*?]/, 1)]
  const isWhole = /^(?:files|pages)\//.test(path)
  const covers = (below: string) => below.startsWith(start) && isCovered(below, tokens, { isFolder: false })
  return paths.filter(each => {
    const whole = each.normalize('NFC')
    return covers(whole.slice(whole.indexOf('/') + 1)) || (isWhole && covers(whole))
  })
}

/**
 * The entries of each file as one. An exact path wins over a pattern, and that over a folder, key by key. A pattern may
 * cover the original of its `variantOf`.
 */
export function mergeEntries(matched: readonly MatchedEntry[], find: FindFile): ReadonlyMap<string, FileEntry> {
  const merged = new Map<string, FileEntry>()
  const byRank = matched.toSorted((a, b) => compareKeys(rankOf(a), rankOf(b)) || a.entry.line - b.entry.line)
  for (const { entry, paths, isExact } of byRank) {
    const { variantOf, ...others } = entry.notes
    const original = isExact || !variantOf ? undefined : find(variantOf.text)
    for (const path of paths) {
      const before = merged.get(path)
      const own = path === original ? others : entry.notes
      const overrides = { ...before?.overrides, ...entry.overrides }
      merged.set(path, { ...entry, overrides, notes: { ...before?.notes, ...own } })
    }
  }
  return merged
}

/** A more specific key has a greater rank: by its kind, its literal characters, then fewer stars. */
function rankOf({ entry: { path }, isExact }: MatchedEntry): readonly number[] {
  const literals = path.replaceAll('*', '').length
  return [isExact ? 2 : path.includes('*') ? 1 : 0, literals, literals - path.length]
}
