import { listLeasedUrls } from '../store/catalogue/services.ts'
import type { Store } from '../store/store.ts'

/** Where services of this store answer now, without a slash at the end; the one that was started last first. */
export function runningServices({ database }: Store, now: Date): Promise<string[]> {
  return listLeasedUrls(database, now.getTime())
}
