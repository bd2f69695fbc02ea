import { colorValues } from '#brand/color.ts'
import type { OperationId } from '#brand/contract/operations.ts'
import type { Bodies, FileEntry } from '#brand/contract/schemas.ts'
import { type BrandFile, filename } from '#brand/file.ts'
import { refOf } from '#brand/ids.ts'
import { typeValues } from '#brand/type-style.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { HeaderList } from '#platform/exchange/message.ts'
import { type Addresses, contentWithAddresses } from '#serving/addresses.ts'
import type { WorkspaceState } from '#serving/pointers/workspace-state.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'

export function representWorkspace({ id, name }: WorkspaceState): Representation {
  const body: Bodies['Workspace'] = { workspace: id, name }
  return represent(body)
}

/** The reply to `listProjects`: the published projects that the token covers. */
export function representProjectList(workspace: string, projects: WorkspaceState['published']): Representation {
  const body: Bodies['ProjectList'] = {
    workspace,
    projects: projects.map(({ project, published }) => ({ id: project, name: published.name })),
  }
  return represent(body)
}

export type ProjectSource = {
  publication: Publication
  addresses: Addresses
  /** The id of the requested page; empty for any other operation. */
  page: string
}

/** The reply to an operation on one project; undefined if the project lacks the requested content. */
export async function representProject(
  operation: ProjectOperation,
  source: ProjectSource,
): Promise<Representation | undefined> {
  const body = await BODIES[operation](source)
  const { revision, snapshot } = source.publication.published
  return body && represent(body, ['Housestyle-Revision', `${revision};snapshot="${snapshot}"`])
}

type ProjectOperation = Exclude<OperationId, 'getWorkspace' | 'listProjects'>

const BODIES: Readonly<Record<ProjectOperation, (source: ProjectSource) => MaybePromise<object | undefined>>> = {
  getProject: projectBody,
  listPages: pageListBody,
  getPage: pageBody,
  getStyles: stylesBody,
  listFiles: fileListBody,
}

/** A body as JSON with the header fields about it. */
function represent(body: object, revision: HeaderList = []): Representation {
  return {
    bytes: new TextEncoder().encode(JSON.stringify(body)),
    type: ['Content-Type', 'application/json'],
    about: [...revision, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding'],
  }
}

function projectBody({ publication: { record, published }, addresses }: ProjectSource): Bodies['Project'] {
  return {
    ...refOf(record),
    name: published.name,
    status: record.status,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    url: addresses.project(record),
    publishedAt: published.publishedAt.toISOString(),
  }
}

async function pageListBody({ publication: { record, content } }: ProjectSource): Promise<Bodies['PageList']> {
  const pages = await content.pages()
  return { ...refOf(record), pages: Array.from(pages.values(), ({ id, name }) => ({ id, name })) }
}

async function pageBody({ publication, addresses, page: id }: ProjectSource): Promise<Bodies['Page'] | undefined> {
  const page = (await publication.content.pages()).get(id)
  if (!page) return undefined
  const content = await contentWithAddresses(publication, page, addresses)
  return { ...refOf(publication.record), page: page.id, content }
}

async function stylesBody({ publication: { record, content } }: ProjectSource): Promise<Bodies['Styles']> {
  const colors = await content.colors()
  const types = await content.types()
  return { ...refOf(record), colors: colors.map(colorValues), types: types.map(typeValues) }
}

async function fileListBody({
  publication: { record, content },
  addresses,
}: ProjectSource): Promise<Bodies['FileList']> {
  const entryOf = (file: BrandFile): FileEntry => ({
    filename: filename(file.path),
    size: file.size,
    contentType: file.contentType,
    url: addresses.file(record, file),
    ...(file.metadata && { metadata: file.metadata }),
  })
  const files = Array.from((await content.files()).values(), entryOf)
  return { ...refOf(record), files }
}
