/** Locks between processes on one store. A lock is gone with the process that holds it, however that ends. */
export type Locks = {
  /** Takes a lock, alone or together with others; undefined where it is held by someone else. Gives what lets it go. */
  take: (name: string, mode: 'shared' | 'exclusive') => (() => void) | undefined
  /** Removes what is kept of a lock whose name is never used again; whoever does holds it. */
  remove: (name: string) => void
}
