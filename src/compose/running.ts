import type { FolderState } from '../site/live.ts'

/** A service that answers. */
export type RunningService = {
  url: string
  baseUrl: string
  /** Where it listens, for programs on the same machine; the other two begin with the public URL, if there is one. */
  localUrl: string
  /** Serves what has changed in the store so far: tokens and links that were just made work from then on. */
  catchUp: () => Promise<void>
  /** Shows the state of the folder on the pages that are open, once everything published so far is served. */
  showFolder: (folder: FolderState) => void
  stop: () => Promise<void>
}

/** How a service differs from others on the same settings. */
export type ServiceOptions = {
  /** Whether open pages follow each change. */
  isLive?: boolean
  /** The versions of the program and of Node, for metrics. */
  build?: Build
  /** Variables, which may ask for traces. */
  environment?: Readonly<Partial<Record<string, string>>>
}

/** Which program runs, on what: `0.1.0` on `26.10.0`. */
type Build = { version: string; node: string }
