import type { HeaderList } from '#platform/exchange/message.ts'
import type { ProjectRecord, PublishedPointer } from '#store/catalogue/catalogue.ts'
import type { WorkspaceState } from '../pointers/workspace-state.ts'

/*
 * Cache keys of published content name what an entry was created from. Once that is no longer served, nothing looks the
 * key up, and `servedKeys` no longer includes it.
 */

/** A project as served. For its draft, `draftOf` is the project with its own revision, and `published` the draft. */
export type ServedProject = ProjectRecord & {
  draftOf?: ProjectRecord
  /** The number of the revision, if people who manage the project read it at its own address. */
  managedRevision?: number
}

/** A project, and the revision or the draft of it that is served. */
export type Served = { record: ServedProject; published: PublishedPointer }

/** The key of some content: `acme/{snapshot}+{facts}`. Copies of a project in its workspace share it. */
export function contentKey({ record, published }: Served): string {
  return `${record.workspace}/${shownContent(published)}`
}

/** A snapshot, and the version of the facts of pictures with which it is shown. */
function shownContent({ snapshot, facts }: PublishedPointer): string {
  return `${snapshot}+${facts}`
}

export function indexKey(served: Served): string {
  return `${contentKey(served)}:index`
}

/** The key of the file addresses of a project, for one snapshot or a set of them. */
export function filesKey(
  { workspace, project, fileKey, draftOf, managedRevision }: ServedProject,
  content: string,
): string {
  return `${workspace}/${project}@${content}:${fileKey}${draftOf ? ':draft' : ''}${ofRevision(managedRevision)}`
}

/** The key of replies with content of a project: it changes with the revision, the visibility and the file key. */
export function replyKey({ record, published }: Served): string {
  const { workspace, project, fileKey, draftOf, managedRevision } = record
  const { revision, visibility, publishedAt } = published
  const draft = draftOf ? `:draft:${publishedAt.getTime()}` : ''
  return `${workspace}/${project}@${revision}:${shownContent(published)}:${fileKey}:${visibility}${draft}${ofRevision(managedRevision)}`
}

function ofRevision(number: number | undefined): string {
  return number === undefined ? '' : `:revision:${number}`
}

/** The key of replies that also contain the status of the project, which imports change. */
export function stateKey(served: Served): string {
  const { status, createdAt, updatedAt } = served.record
  return `${replyKey(served)}:${status}:${createdAt.getTime()}:${updatedAt.getTime()}`
}

/** The key of website pages, which also contain the name of the workspace and links for editing. */
export function pagesKey(served: Served, workspace: string): string {
  return `${replyKey(served)}:${JSON.stringify([workspace, served.record.edit ?? ''])}`
}

export function workspaceKey({ id, version }: WorkspaceState): string {
  return `${id}@${version}`
}

/** Fields by which a CDN purges the replies of a project or a revision. CDNs differ in name and separator. */
export function cacheTags({ record, published }: Served): HeaderList {
  const project = `${record.workspace}/${record.project}`
  const revision = `${project}@${published.revision}`
  return ['Cache-Tag', `${project},${revision}`, 'Surrogate-Key', `${project} ${revision}`]
}
