import { coversProject, type Permit } from '../access/grant.ts'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { nextTurn } from '../brand/steps.ts'
import type { HeaderList, Reply, Request } from '../exchange/message.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Pointers, WorkspaceState } from '../serving/pointers.ts'
import type { Made, PreparedReplies } from '../serving/prepared.ts'
import type { OpenPublication, Publication } from '../serving/publications.ts'
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
export type Find = {
  pointers: Pointers
  openPublication: OpenPublication
  revisions: ServedRevisions
  prepared: PreparedReplies
  addresses: Addresses
  publicUrl: string
}

/** The reply to a permitted call, or undefined where there is nothing at its place. */
export function find(parts: Find, { call, grant }: Permit, request: Request): MaybePromise<Reply | undefined> {
  const state = parts.pointers.workspace(call.workspace)
  if (!state) return undefined
  const { id } = call.operation
  if (id === 'getWorkspace') return workspaceReply(parts, state, request)
  if (id === 'listProjects')
    return projectListReply(parts, state, request, grant.projects, p => coversProject(grant, p))
  const record = state.projects.get(call.project)
  const publication =
    call.revision === undefined ? parts.openPublication(record) : parts.revisions.open(record, call.revision)
  return publication instanceof Promise
    ? publication.then(each => projectReply(parts, each, id, call.page, request))
    : projectReply(parts, publication, id, call.page, request)
}

function projectReply(
  parts: Find,
  publication: Publication | undefined,
  operation: ProjectOperation,
  page: string,
  request: Request,
): MaybePromise<Reply | undefined> {
  if (!publication) return undefined
  const key = replyKey(publication, operation, page)
  return parts.prepared.reply(key, request, () => makeReply(parts, publication, operation, page))
}

function workspaceReply(parts: Find, state: WorkspaceState, request: Request): MaybePromise<Reply | undefined> {
  return parts.prepared.reply(`${state.id}:getWorkspace:${state.version}`, request, () => made(workspaceBody(state)))
}

function projectListReply(
  parts: Find,
  state: WorkspaceState,
  request: Request,
  projects: ReadonlySet<string> | undefined,
  covers: (project: string) => boolean,
): MaybePromise<Reply | undefined> {
  const seen = projects === undefined ? '*' : JSON.stringify([...projects])
  const key = `${state.id}:listProjects:${state.version}:${seen}`
  return parts.prepared.reply(key, request, () => made(projectListBody(state, covers)))
}

type ProjectOperation = 'getProject' | 'listPages' | 'getPage' | 'getStyles' | 'listFiles'

/** Names everything that a reply is made from: revision and addresses, and for reply 3 the project's state. */
function replyKey({ record, published }: Publication, operation: ProjectOperation, page: string): string {
  const { workspace, project, fileKey, status, createdAt, updatedAt } = record
  const state = operation === 'getProject' ? `${status}:${createdAt.getTime()}:${updatedAt.getTime()}` : ''
  return `${workspace}/${project}@${published.revision}:${published.snapshot}:${fileKey}:${operation}:${state}:${page}`
}

async function makeReply(
  { addresses }: Find,
  publication: Publication,
  operation: ProjectOperation,
  page: string,
): Promise<Made | undefined> {
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

async function made(body: object, revision: HeaderList = []): Promise<Made> {
  return {
    bytes: await jsonBytes(body),
    type: ['Content-Type', 'application/json'],
    about: [...revision, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding'],
  }
}
