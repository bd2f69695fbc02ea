export type AdoptOptions = {
  /** The folder of the project. */
  project: string
  /** The title of the new guide if the source has none. */
  title: string
  /** The groups of tokens to take; all if empty. */
  groups: readonly string[]
  /** Globs of files to leave out. */
  exclude: readonly string[]
  /** Whether what the sources do not publish is taken, too. */
  withHidden: boolean
  /** Today in UTC. */
  today: string
  signal: AbortSignal
  /** Called with each step that may take long. */
  progress: (step: string, done: number, total: number) => void
}
