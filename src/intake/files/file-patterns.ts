import { globTokens, isCovered } from '#brand/glob.ts'
import { compareKeys } from '#brand/page.ts'
import { belowParts, type FindFile } from './file-notes.ts'
import type { FileEntry } from './files-file.ts'

/** An entry of files.yaml with the paths of its files; `isExact` if its key is the path of one file. */
export type MatchedEntry = { entry: FileEntry; paths: readonly string[]; isExact: boolean }

/** Whether the key of an entry names all files of a pattern with `*`, or of a folder that ends in `/`. */
export function isPattern({ path }: FileEntry): boolean {
  return path.includes('*') || path.endsWith('/')
}

/**
 * The paths that a pattern or folder covers. `logo/*.svg` covers paths below `files/` and `pages/`;
 * `files/logo/*.svg` is a whole path.
 */
export function coveredPaths({ path }: FileEntry, paths: readonly string[]): readonly string[] {
  const glob = (path.endsWith('/') ? `${path}**` : path).normalize('NFC')
  const tokens = globTokens(glob)
  const [start = ''] = glob.split(/[*?]/, 1) // The literal beginning, which excludes most paths quickly.
  const isWhole = belowParts(path) !== path
  const covers = (below: string) => below.startsWith(start) && isCovered(below, tokens, { isFolder: false })
  return paths.filter(each => {
    const whole = each.normalize('NFC')
    return covers(whole.slice(whole.indexOf('/') + 1)) || (isWhole && covers(whole))
  })
}

/**
 * Merges the entries of each file, keyed by path: a key of an exact path wins over that of a pattern, which wins over
 * that of a folder. A pattern may cover the original of its `variantOf`, which does not become a variant of the same file.
 */
export function mergeEntries(matched: readonly MatchedEntry[], find: FindFile): ReadonlyMap<string, FileEntry> {
  const merged = new Map<string, FileEntry>()
  const byRank = matched.toSorted((a, b) => compareKeys(rankOf(a), rankOf(b)) || a.entry.line - b.entry.line)
  for (const { entry, paths, isExact } of byRank) {
    const { variantOf, ...others } = entry.notes
    const original = isExact || !variantOf ? undefined : find(variantOf.text)
    for (const path of paths) {
      const { overrides = {}, notes = {} } = merged.get(path) ?? {}
      const ownNotes = path === original ? others : entry.notes
      merged.set(path, {
        ...entry,
        overrides: { ...overrides, ...entry.overrides },
        notes: { ...notes, ...ownNotes },
      })
    }
  }
  return merged
}

/**
 * The rank of an entry, for `compareKeys`: whether it is an exact path, whether a pattern instead of a folder, then its number of literal
 * characters, then the negative number of its stars. A more specific entry has the greater rank.
 */
function rankOf({ entry: { path }, isExact }: MatchedEntry): readonly number[] {
  const literals = path.replaceAll('*', '').length
  return [Number(isExact), Number(path.includes('*')), literals, literals - path.length]
}
