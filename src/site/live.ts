import { EventEmitter, once } from 'node:events'
import { type Finding, RULES } from '../brand/finding.ts'
import { refusalReply, refuse } from '../contract/refusals.ts'
import type { Reply } from '../exchange/message.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Pointers } from '../serving/pointers.ts'

/** Where the pages of `dev` listen: `assets` is no id of a workspace, and `dev` is no hash of an asset. */
export const EVENTS_PATH = '/assets/dev/events'

/** How the folder stands that the website shows. */
export type FolderState = {
  findings: readonly Finding[]
  /** In words why what is served is not what is in the folder. */
  trouble?: string
}

/** Tells the pages that are open what is served and how the folder stands. */
export type Live = {
  tell: (folder: FolderState) => void
  /** The answer to a page that listens: an event stream (HTML Standard §9.2) of whole states, the latest one first. */
  events: () => Reply
  close: () => void
}

type LiveParts = { pointers: Pointers; paths: Addresses; publicUrl: string }

/** Opens the event stream of `dev`. Whoever reads slowly gets the latest state next, and those between not at all. */
export function openLive(parts: LiveParts): Live {
  const news = new EventEmitter().setMaxListeners(MAX_READERS)
  let latest: string | undefined
  let readers = 0
  let isClosed = false
  async function* read(gone: AbortSignal): AsyncGenerator<Uint8Array> {
    readers++
    try {
      yield bytesOf(`retry: ${RETRY_MS}`)
      for (let sent: string | undefined; !isClosed && !gone.aborted; ) {
        if (latest === sent) await once(news, 'news', { signal: gone }).catch(() => undefined)
        else {
          sent = latest
          yield bytesOf(`data: ${latest}`)
        }
      }
    } finally {
      readers--
    }
  }
  return {
    tell: folder => {
      latest = JSON.stringify(stateOf(parts, folder))
      news.emit('news')
    },
    events: () =>
      readers < MAX_READERS
        ? { status: 200, headers: HEADERS, body: { length: undefined, chunks: read } }
        : refusalReply(refuse('unavailable', ['Retry-After', '1']), parts.publicUrl),
    close: () => {
      isClosed = true
      news.emit('news')
    },
  }
}

function bytesOf(event: string): Uint8Array {
  return new TextEncoder().encode(`${event}\n\n`)
}

/** How soon a page comes back where the stream ends. */
const RETRY_MS = 500
/** More pages than anyone has open and in view. */
const MAX_READERS = 100
/** The connection ends with the stream, so that nothing waits for it. */
const HEADERS = [
  ...['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store'],
  ...['X-Content-Type-Options', 'nosniff', 'Connection', 'close'],
] as const

/** What a page is told: a time of publication for each guide by its path, and the findings that come first. */
function stateOf({ pointers, paths }: LiveParts, { findings, trouble }: FolderState): object {
  const records = [...pointers.workspaces()].flatMap(({ published }) => published)
  const versions = records.map(record => [paths.project(record), record.published.publishedAt.toISOString()])
  const errors = findings.filter(({ severity }) => severity === 'error')
  const warnings = findings.filter(({ severity }) => severity === 'warning')
  return {
    versions: Object.fromEntries(versions),
    errors: errors.length,
    warnings: warnings.length,
    findings: [...errors, ...warnings].slice(0, MAX_FINDINGS).map(shown),
    trouble,
  }
}

/** The terminal has them all. */
const MAX_FINDINGS = 100

function shown({ path, line, severity, rule, message }: Finding): object {
  return { place: `${path}:${line ?? 1}`, severity, rule, message, fix: RULES[rule].fix }
}
