import type { FolderState } from '../site/live.ts'

/** A running service. */
export type RunningService = {
  url: string
  baseUrl: string
  /** The local address, for programs on the same machine; the other two begin with the public URL, if configured. */
  localUrl: string
  /** Serves all changes in the store so far, so that new tokens and links work. */
  catchUp: () => Promise<void>
  /** Resolves once each followed repository was checked, or could not be; undefined if there is none. */
  pulled?: Promise<void> | undefined
  /** Shows the folder state on open pages, after everything published so far is served. */
  showFolder: (folder: FolderState) => void
  stop: () => Promise<void>
}

/** Options of a service apart from its settings. */
export type ServiceOptions = {
  /** Whether open pages update after each change. */
  isLive?: boolean
  /** The program and Node versions, for metrics. */
  build?: Build
  /** Environment variables, which may enable traces. */
  environment?: Readonly<Partial<Record<string, string>>>
  /** Sends a signal to a process group; needed for following repositories. */
  kill?: (id: number, signal: NodeJS.Signals) => void
}

/** The program and Node versions: `0.1.0` on `26.10.0`. */
type Build = { version: string; node: string }
