import type { MaybePromise } from '../base/promise.ts'
import type { Caches } from '../caches/caches.ts'
import type { Publication } from '../serving/publications/publications.ts'
import { indexKey } from '../serving/replies/content-keys.ts'
import type { Indexer } from './indexer.ts'
import type { SearchIndex } from './search-index.ts'

/** Returns the index of a guide, or its promise while it is being built. */
export type Indexes = (publication: Publication) => MaybePromise<SearchIndex | undefined>

/** Caches the latest indexes; each is built once, and again after a failure. */
export function openIndexes(caches: Caches, make: Indexer['index']): Indexes {
  const indexes = caches.open<SearchIndex>('search')
  return publication => {
    const key = indexKey(publication)
    const work = () => make(publication).then(index => ({ value: index, bytes: index.size }))
    return indexes.get(key) ?? indexes.make(key, work)
  }
}
