import { coversProject, type Grant, type Permit } from '../access/token/grant.ts'
import { andThen, type MaybePromise } from '../base/promise.ts'
import { nextTurn } from '../base/steps.ts'
import { keyWithin } from '../caches/caches.ts'
import type { HeaderList, Reply, Request } from '../exchange/message.ts'
import type { Addresses } from '../serving/addresses.ts'
import { replyKey, stateKey, workspaceKey } from '../serving/content-keys.ts'
import type { Pointers, WorkspaceState } from '../serving/pointers.ts'
import type { OpenPublication, Publication } from '../serving/publications.ts'
import type { Representation, ResponseCache } from '../serving/response-cache.ts'
import type { ServedRevisions } from '../serving/revisions.ts'
import {
  fileListBody,
  pageBody,
  pageListBody,
  projectBody,
  projectListBody,
  stylesBody,
  workspaceBody,
} from './bodies.ts'
import { jsonBytes } from './json-bytes.ts'

/** Where replies are found. */
type Find = {
  pointers: Pointers
  openPublication: OpenPublication
  revisions: ServedRevisions
  prepared: ResponseCache
  addresses: Addresses
  publicUrl: string
}

/** The reply to a permitted call, or undefined where there is nothing at its place. */
export function find(parts: Find, { call, grant }: Permit, request: Request): MaybePromise<Reply | undefined> {
  const state = parts.pointers.workspace(call.workspace)
  if (!state) return undefined
  const { id } = call.operation
  if (id === 'getWorkspace') return workspaceReply(parts, state, request)
  if (id === 'listProjects') return projectListReply(parts, state, grant, request)
  const named = state.projects.get(call.project)
  const record = named && coversProject(grant, named) ? named : undefined
  const publication =
    call.revision === undefined ? parts.openPublication(record) : parts.revisions.open(record, call.revision)
  return andThen(publication, each => projectReply(parts, each, id, call.page, request))
}

function projectReply(
  parts: Find,
  publication: Publication | undefined,
  operation: ProjectOperation,
  page: string,
  request: Request,
): MaybePromise<Reply | undefined> {
  if (!publication) return undefined
  const key = keyWithin(madeOf(publication, operation), `${operation}:${page}`)
  return parts.prepared.reply(key, request, () => makeReply(parts, publication, operation, page))
}

function workspaceReply(parts: Find, state: WorkspaceState, request: Request): MaybePromise<Reply | undefined> {
  const key = keyWithin(workspaceKey(state), 'getWorkspace')
  return parts.prepared.reply(key, request, () => made(workspaceBody(state)))
}

function projectListReply(
  parts: Find,
  state: WorkspaceState,
  grant: Grant,
  request: Request,
): MaybePromise<Reply | undefined> {
  const seen = grant.projects ? state.published.filter(record => coversProject(grant, record)) : state.published
  const ids = grant.projects ? JSON.stringify(seen.map(({ project }) => project)) : '*'
  const key = keyWithin(workspaceKey(state), `listProjects:${ids}`)
  return parts.prepared.reply(key, request, () => made(projectListBody(state.id, seen)))
}

type ProjectOperation = 'getProject' | 'listPages' | 'getPage' | 'getStyles' | 'listFiles'

/** Names everything that a reply is made from: revision and addresses, and for reply 3 the project's state. */
function madeOf(publication: Publication, operation: ProjectOperation): string {
  return operation === 'getProject' ? stateKey(publication) : replyKey(publication)
}

async function makeReply(
  { addresses }: Find,
  publication: Publication,
  operation: ProjectOperation,
  page: string,
): Promise<Representation | undefined> {
  await nextTurn()
  const body = await makeBody(publication, addresses, operation, page)
  const { revision, snapshot } = publication.published
  return body && made(body, ['Housestyle-Revision', `${revision};snapshot="${snapshot}"`])
}

function makeBody(
  publication: Publication,
  addresses: Addresses,
  operation: ProjectOperation,
  page: string,
): MaybePromise<object | undefined> {
  switch (operation) {
    case 'getProject':
      return projectBody(publication, addresses)
    case 'listPages':
      return pageListBody(publication)
    case 'getPage':
      return pageBody(publication, page, addresses)
    case 'getStyles':
      return stylesBody(publication)
    case 'listFiles':
      return fileListBody(publication, addresses)
  }
}

async function made(body: object, revision: HeaderList = []): Promise<Representation> {
  return {
    bytes: await jsonBytes(body),
    type: ['Content-Type', 'application/json'],
    about: [...revision, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding'],
  }
}
