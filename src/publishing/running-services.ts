import { listLeasedUrls } from '../store/catalogue/services.ts'
import type { Store } from '../store/store.ts'

/** The addresses of the running services of this store, without a slash at the end; the newest service first. */
export function runningServices({ database }: Store, now: Date): Promise<string[]> {
  return listLeasedUrls(database, now.getTime())
}
