import { inSteps } from '../base/steps.ts'
import { type BrandFile, filename } from '../brand/file.ts'
import type { Bodies, FileEntry } from '../contract/bodies.ts'
import { type Addresses, contentWithAddresses } from '../serving/addresses.ts'
import type { WorkspaceState } from '../serving/pointers.ts'
import type { Publication } from '../serving/publications.ts'

/** Reply 1. */
export function workspaceBody({ id, name }: WorkspaceState): Bodies['Workspace'] {
  return { workspace: id, name }
}

/** Reply 2: the published projects that a token covers. */
export function projectListBody(workspace: string, projects: WorkspaceState['published']): Bodies['ProjectList'] {
  return {
    workspace,
    projects: projects.map(({ project, published }) => ({ id: project, name: published.name })),
  }
}

/** Reply 3. */
export function projectBody({ record, published }: Publication, addresses: Addresses): Bodies['Project'] {
  return {
    ...place(record),
    name: published.name,
    status: record.status,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    url: addresses.project(record),
    publishedAt: published.publishedAt.toISOString(),
  }
}

/** Reply 4. */
export async function pageListBody({ record, content }: Publication): Promise<Bodies['PageList']> {
  const pages = await content.pages()
  return { ...place(record), pages: Array.from(pages.values(), ({ id, name }) => ({ id, name })) }
}

/** Reply 5; undefined if there is no such page. */
export async function pageBody(
  publication: Publication,
  id: string,
  addresses: Addresses,
): Promise<Bodies['Page'] | undefined> {
  const page = (await publication.content.pages()).get(id)
  if (!page) return undefined
  const content = await contentWithAddresses(publication, page, addresses)
  return { ...place(publication.record), page: page.id, content }
}

/** Reply 6. */
export async function stylesBody({ record, content }: Publication): Promise<Bodies['Styles']> {
  return { ...place(record), colors: await content.colors(), types: await content.types() }
}

/** Reply 7. */
export async function fileListBody(
  { record, content }: Publication,
  addresses: Addresses,
): Promise<Bodies['FileList']> {
  const entryOf = (file: BrandFile): FileEntry => ({
    filename: filename(file.path),
    size: file.size,
    contentType: file.contentType,
    url: addresses.file(record, file),
    ...(file.metadata && { metadata: file.metadata }),
  })
  const files = await inSteps((await content.files()).values(), FILES_AT_ONCE, entryOf)
  return { ...place(record), files }
}

/** The address of a file takes some 10 µs. */
const FILES_AT_ONCE = 100

function place({ workspace, project }: Publication['record']): { workspace: string; project: string } {
  return { workspace, project }
}
