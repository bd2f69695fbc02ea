import { setTimeout as sleep } from 'node:timers/promises'
import { refusalReply, refuseUnavailable } from '#brand/contract/refusals.ts'
import type { Ids } from '#brand/contract/route.ts'
import { pagePath } from '#brand/edit-link.ts'
import type { Finding } from '#brand/finding.ts'
import type { MinRate, Reply, Request } from '#platform/exchange/message.ts'
import { content } from '#platform/exchange/reply.ts'
import type { SourceState } from '#publishing/git/pull/source-state.ts'
import type { PublishedProject } from '#store/catalogue/catalogue.ts'
import type { Editor } from './context.ts'
import type { EditorSource } from './editor-config.ts'

/**
 * An event stream about a commit that the editor made: `?commit={hash}&branch={name}&path={saved file}`. It ends once the
 * commit is live, refused, or left to other people. A commit on another branch is a proposal; a merge
 * names no branch.
 */
export async function commitStream(context: Editor, request: Request, ids: Ids): Promise<Reply | undefined> {
  const { saves, site, sourceFor } = context
  const query = new URLSearchParams(request.query)
  const commit = query.get('commit') ?? ''
  const source = await sourceFor(request, ids)
  if (!saves || !source?.forge || !/^[0-9a-f]{40,64}$/.test(commit)) return undefined
  if ((query.get('branch') ?? source.forge.branch) !== source.forge.branch)
    return content('text/event-stream', encode({ state: 'review' }))
  if (open >= MAX_STREAMS) return refusalReply(refuseUnavailable(), site.service.access.publicUrl)
  const chunks = (gone: AbortSignal) => readStates(context, request, ids, { commit, gone, paths: query.getAll('path') })
  const body = { length: undefined, isEndless: true, minRate: () => MIN_RATE, chunks }
  return content('text/event-stream', body, { headers: STREAM_HEADERS })
}

/** The streams of this process. */
let open = 0
const MAX_STREAMS = 100

/** As for other event streams. */
const STREAM_HEADERS = ['X-Accel-Buffering', 'no', 'Connection', 'close'] as const
const MIN_RATE: MinRate = { bytes: 1 << 20, milliseconds: 300_000 }

type Asked = Pick<CommitQuestion, 'commit' | 'paths'> & { gone: AbortSignal }

async function* readStates(
  context: Editor,
  request: Request,
  ids: Ids,
  { commit, gone, paths }: Asked,
): AsyncGenerator<Uint8Array> {
  const { saves, site, sourceFor } = context
  if (!saves) return
  const signal = AbortSignal.any([gone, saves.stopping])
  const askedAt = saves.now()
  let before: SourceState | undefined
  let sent = ''
  open++
  try {
    for (let left = MAX_CHECKS; left > 0 && !signal.aborted; left--) {
      await saves.checkSoon()
      // The person may have been signed out meanwhile.
      const source = await sourceFor(request, ids)
      const followed = source && (await saves.read(source))
      if (!followed) return
      before ??= followed
      const { published = [] } = (await site.service.pointers.workspace(source.workspace)) ?? {}
      const shown = new Set(source.projects.map(({ id }) => id))
      const projects = new Map(
        published.flatMap(record => (shown.has(record.project) ? [[`${record.project}`, record] as const] : [])),
      )
      const state = commitState({ commit, paths, askedAt, before, source: followed, projects })
      const event = withAddress(state, source, { site, paths })
      const text = JSON.stringify(event)
      // A comment keeps the connection open.
      yield text === sent ? COMMENT : encode(event)
      sent = text
      if (state.state !== 'waiting') return
      await sleep(CHECK_MS, undefined, { signal }).catch(() => undefined)
    }
    if (!signal.aborted) yield encode({ state: 'late' })
  } finally {
    open--
  }
}

const CHECK_MS = 2000
/** Ten minutes. */
const MAX_CHECKS = 300
const COMMENT = new TextEncoder().encode(':\n\n')

/** The address of the saved page, or else of its guide. */
function withAddress(
  state: CommitState,
  { workspace, forge, projects }: EditorSource,
  { site, paths }: Pick<Editor, 'site'> & Pick<CommitQuestion, 'paths'>,
): object {
  if (state.state !== 'live') return state
  const { project, ...rest } = state
  const place = { workspace, project }
  const shown = projects.find(({ id }) => id === project)
  const folder = [forge?.path, shown?.folder]
    .filter(Boolean)
    .map(each => `${each}/`)
    .join('')
  const page = shown?.order?.find(({ id }) => paths.includes(folder + pagePath(shown, id)))
  return { ...rest, address: page ? site.paths.page(place, page.id) : site.paths.project(place) }
}

function encode(event: object): Uint8Array {
  return new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`)
}

/**
 * The fate of a saved change. `review`: someone has to merge, approve or publish it first. `blocked`: another file has
 * an error.
 */
export type CommitState =
  | { state: 'waiting' | 'review' }
  | { state: 'refused' | 'blocked'; message: string }
  | { state: 'live'; project: string; revision: number; publishedAt: Date }

/** A commit about which someone asks, and what the service knows. */
export type CommitQuestion = {
  commit: string
  /** The saved files, by their paths in the repository; empty if they are unknown. */
  paths: readonly string[]
  askedAt: Date
  /** The result of the last import at that time: its errors are not those of the commit. */
  before: Pick<SourceState, 'commit' | 'findings'>
  source: SourceState
  /** The published projects that the person sees. */
  projects: ReadonlyMap<string, PublishedProject>
}

/**
 * The fate of a commit. A later one counts too: once another commit was imported, or a check began and ended since the
 * question, the branch with the commit was read.
 */
export function commitState({ commit, paths, askedAt, before, source, projects }: CommitQuestion): CommitState {
  const { failure, publish } = source
  if (failure) return failure.commit?.hash === commit ? { state: 'refused', message: failure.message } : WAITING
  const isOwn = source.commit?.hash === commit
  if (!isOwn && source.commit?.hash === before.commit?.hash && !isCheckedSince(source, askedAt)) return WAITING
  const seen = source.projects.filter(({ project }) => projects.has(project))
  // A finding outside all projects may name the folder of one that the person does not see.
  const errors = source.findings.filter(
    ({ severity, project }) => severity === 'error' && (project === null ? isOwn : projects.has(project)),
  )
  const isEarlier = ({ path, message }: Finding) =>
    before.commit?.hash !== commit && before.findings.some(each => each.path === path && each.message === message)
  const own = errors.find(error => (paths.length > 0 ? paths.includes(error.path) : !isEarlier(error)))
  const first = own ?? errors[0]
  const state = own ? 'refused' : 'blocked'
  if (first) return { state, message: `${first.path}:${first.line ?? 1} ${first.message}` }
  if (seen.some(({ imported }) => !imported)) return { state: 'refused', message: `${source.errors} errors` }
  if (publish !== 'auto') return { state: 'review' }
  const target = seen.find(({ changed }) => changed) ?? seen[0]
  const published = target && projects.get(target.project)?.published
  if (!published || published.revision < (target.revision ?? 0)) return WAITING
  const { revision, publishedAt } = published
  return { state: 'live', project: target.project, revision, publishedAt }
}

const WAITING: CommitState = { state: 'waiting' }

function isCheckedSince({ checkedAt, goodAt }: SourceState, askedAt: Date): boolean {
  const [began, ended] = [checkedAt, goodAt].map(time => (time === null ? Number.NaN : Date.parse(time)))
  return began !== undefined && ended !== undefined && began >= askedAt.getTime() && ended >= began
}
