import type { Ids } from '#brand/contract/route.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { SourceState } from '#publishing/git/pull/source-state.ts'
import type { Site } from '#site/site.ts'
import type { EditorSource } from './editor-config.ts'

/** The editor that the service offers to people in the browser. */
export type Editor = {
  site: Site
  /** The editor that a request may open; undefined for any other request. */
  sourceFor: (request: Request, ids: Ids) => MaybePromise<EditorSource | undefined>
  /** Absent if the service follows no repository. */
  saves?: Saves | undefined
  endStreams: () => void
}

/** The followed repository, into which the editor saves. */
type Saves = {
  /** The state of the repository of an editor, which any process may have checked last. */
  read: (source: EditorSource) => Promise<SourceState | undefined>
  /** Asks for a check, at most every ten seconds. */
  checkSoon: () => Promise<void>
  /** The time of the store. */
  now: () => Date
  /** Aborts when the service stops. */
  stopping: AbortSignal
}
