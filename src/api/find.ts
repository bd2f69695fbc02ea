import { coversProject, type Permit } from '../access/token/grant.ts'
import { andThen, type MaybePromise } from '../base/promise.ts'
import { nextTurn } from '../base/steps.ts'
import { keyWithin } from '../caches/caches.ts'
import type { HeaderList, Reply, Request } from '../exchange/message.ts'
import type { Addresses } from '../serving/addresses.ts'
import { replyKey, stateKey, workspaceKey } from '../serving/content-keys.ts'
import type { Pointers } from '../serving/pointers.ts'
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

/** What replies are found in, or made from. */
type FindParts = {
  pointers: Pointers
  openPublication: OpenPublication
  revisions: ServedRevisions
  prepared: ResponseCache
  addresses: Addresses
  publicUrl: string
}

/** The reply to a permitted call, from the cache if it is there; undefined if there is nothing at its place. */
export function find(parts: FindParts, { call, grant }: Permit, request: Request): MaybePromise<Reply | undefined> {
  const workspace = parts.pointers.workspace(call.workspace)
  if (!workspace) return undefined
  const reply = (content: string, variant: string, make: () => Promise<Representation | undefined>) =>
    parts.prepared.reply(keyWithin(content, variant), request, make)
  const { id } = call.operation
  if (id === 'getWorkspace') return reply(workspaceKey(workspace), id, () => represent(workspaceBody(workspace)))
  if (id === 'listProjects') {
    const { published } = workspace
    const covered = grant.projects ? published.filter(record => coversProject(grant, record)) : published
    const ids = grant.projects ? JSON.stringify(covered.map(({ project }) => project)) : '*'
    const make = () => represent(projectListBody(workspace.id, covered))
    return reply(workspaceKey(workspace), `${id}:${ids}`, make)
  }
  const known = workspace.projects.get(call.project)
  const record = known && coversProject(grant, known) ? known : undefined
  const { revision } = call
  const opened = revision === undefined ? parts.openPublication(record) : parts.revisions.open(record, revision)
  return andThen(opened, publication => {
    if (!publication) return undefined
    const content = id === 'getProject' ? stateKey(publication) : replyKey(publication)
    const make = () => representProject({ publication, addresses: parts.addresses, operation: id, page: call.page })
    return reply(content, `${id}:${call.page}`, make)
  })
}

/** What a reply about a project is made from. */
type ProjectSource = {
  publication: Publication
  addresses: Addresses
  operation: 'getProject' | 'listPages' | 'getPage' | 'getStyles' | 'listFiles'
  page: string
}

async function representProject(source: ProjectSource): Promise<Representation | undefined> {
  await nextTurn()
  const body = await projectReplyBody(source)
  const { revision, snapshot } = source.publication.published
  return body && represent(body, ['Housestyle-Revision', `${revision};snapshot="${snapshot}"`])
}

function projectReplyBody({
  publication,
  addresses,
  operation,
  page,
}: ProjectSource): MaybePromise<object | undefined> {
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

async function represent(body: object, revision: HeaderList = []): Promise<Representation> {
  return {
    bytes: await jsonBytes(body),
    type: ['Content-Type', 'application/json'],
    about: [...revision, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding'],
  }
}
