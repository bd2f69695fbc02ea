import { EventEmitter, once } from 'node:events'
import { refusalReply, refuseUnavailable } from '#brand/contract/refusals.ts'
import { type Finding, RULES } from '#brand/finding.ts'
import { serial } from '#platform/base/promise.ts'
import type { Reply } from '#platform/exchange/message.ts'
import { content } from '#platform/exchange/reply.ts'
import type { Addresses } from '#serving/addresses.ts'
import type { OpenProjects } from '#serving/pointers/open-projects.ts'

/** The event stream of `dev`. No workspace has this path and, since `dev` is not a hash, no asset. */
export const EVENTS_PATH = '/assets/dev/events'

/** The state of the brand folder that the website shows. */
export type FolderState = {
  findings: readonly Finding[]
  /** Why the service does not serve the content of the folder, as a sentence. */
  trouble?: string
}

/** Sends open pages the served revisions and the state of the folder. */
export type Live = {
  update: (folder: FolderState) => Promise<void>
  /** An event stream (HTML Standard §9.2) of whole states, the latest first. */
  events: () => Reply
  close: () => void
}

/**
 * Opens the event stream of `dev`. Each reader remembers the state that it sent last: it sends a newer one at once, or
 * waits for a change. So a slow reader skips states and gets the latest one next.
 */
export function openLive(openProjects: OpenProjects, paths: Addresses, publicUrl: string): Live {
  const inTurn = serial()
  const changes = new EventEmitter().setMaxListeners(MAX_LISTENERS)
  let latest: string | undefined
  let listeners = 0
  let isClosed = false
  async function* read(gone: AbortSignal): AsyncGenerator<Uint8Array> {
    listeners++
    try {
      yield encodeEvent(`retry: ${RETRY_MS}`)
      let sentState: string | undefined
      while (!isClosed && !gone.aborted) {
        if (latest === sentState) await once(changes, 'change', { signal: gone }).catch(() => undefined)
        else {
          sentState = latest
          yield encodeEvent(`data: ${latest}`)
        }
      }
    } finally {
      listeners--
    }
  }
  return {
    update: folder =>
      inTurn(async () => {
        latest = JSON.stringify(await pageState(openProjects, paths, folder))
        changes.emit('change')
      }),
    events: () =>
      listeners < MAX_LISTENERS
        ? content('text/event-stream', { length: undefined, chunks: read }, { headers: CLOSE_CONNECTION })
        : refusalReply(refuseUnavailable(), publicUrl),
    close: () => {
      isClosed = true
      changes.emit('change')
    },
  }
}

function encodeEvent(event: string): Uint8Array {
  return new TextEncoder().encode(`${event}\n\n`)
}

/** The delay before a page reconnects after the stream ends. */
const RETRY_MS = 500
/** More pages than a user has open and visible. */
const MAX_LISTENERS = 100
/** The connection closes with the stream, so that shutdown need not wait for it. */
const CLOSE_CONNECTION = ['Connection', 'close'] as const

/** The state for pages: the publication time of each guide, keyed by path, and the most severe findings. */
async function pageState(
  openProjects: OpenProjects,
  paths: Addresses,
  { findings, trouble }: FolderState,
): Promise<object> {
  const versions: (readonly [string, string])[] = []
  for await (const projects of openProjects.all())
    for (const project of projects) versions.push([paths.project(project), project.publishedAt.toISOString()])
  const errors = findings.filter(({ severity }) => severity === 'error')
  const warnings = findings.filter(({ severity }) => severity === 'warning')
  return {
    versions: Object.fromEntries(versions),
    errors: errors.length,
    warnings: warnings.length,
    findings: [...errors, ...warnings].slice(0, MAX_FINDINGS).map(findingJson),
    trouble,
  }
}

/** The terminal shows all of them. */
const MAX_FINDINGS = 100

function findingJson({ path, line, severity, rule, message }: Finding): object {
  return { place: `${path}:${line ?? 1}`, severity, rule, message, fix: RULES[rule].fix }
}
