import { contentEntryKey } from '#platform/caches/caches.ts'

/**
 * Everything that a cached page depends on; the compiler finds a forgotten member. `content` is the cache key of the
 * content, `query` the part of the query that the page reads, `reader` what it shows about its reader, and `below` the
 * path below its guide.
 */
type PageKey =
  | { kind: 'view'; content: string; day: string; query: string; reader: string; below: string }
  | { kind: 'missing'; content: string; reader: string; closest: readonly string[] }
  | { kind: 'workspace'; content: string; reader: string }
  | { kind: 'home'; version: number; reader: string }

/**
 * The key as a string: one line for each member. Only the last member may have more lines, so that no value can look like
 * the next member.
 */
export function pageKey(key: PageKey): string {
  const { kind, reader } = key
  if (kind === 'home') return `/@${key.version}\n${reader}`
  if (kind === 'workspace') return contentEntryKey(key.content, `${kind}\n${reader}`)
  if (kind === 'missing') return contentEntryKey(key.content, `${kind}\n${reader}\n${key.closest.join('\n')}`)
  return contentEntryKey(key.content, `${kind}\n${key.day}\n${key.query}\n${reader}\n${key.below}`)
}
