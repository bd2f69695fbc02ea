import type { ProjectRecord, PublishedPointer } from '../../store/catalogue/catalogue.ts'
import type { WorkspaceState } from '../pointers/workspace-state.ts'

/*
 * What is kept of published content is found under keys that name what it was made of: when that is no longer served,
 * nobody asks for it again, and `servedKeys` has it no more.
 */

/** A project and what is served of it. */
export type Served = { record: ProjectRecord; published: PublishedPointer }

/** The content of a snapshot: copies of a project in its workspace share it. */
export function contentKey({ record, published }: Served): string {
  return `${record.workspace}/${published.snapshot}`
}

/** The index that a content is searched with. */
export function indexKey(served: Served): string {
  return `${contentKey(served)}:index`
}

/** The addresses of the files of a project, in a snapshot or in several together. */
export function filesKey({ workspace, project, fileKey }: ProjectRecord, content: string): string {
  return `${workspace}/${project}@${content}:${fileKey}`
}

/** The replies with a revision of a project. */
export function replyKey({ record, published }: Served): string {
  const { workspace, project, fileKey } = record
  return `${workspace}/${project}@${published.revision}:${published.snapshot}:${fileKey}:${published.visibility}`
}

/** Those that say how the project stands as well, which imports change. */
export function stateKey(served: Served): string {
  const { status, createdAt, updatedAt } = served.record
  return `${replyKey(served)}:${status}:${createdAt.getTime()}:${updatedAt.getTime()}`
}

/** The pages of the website, which also say the name of the workspace. */
export function pagesKey(served: Served, workspace: string): string {
  return `${replyKey(served)}:${JSON.stringify(workspace)}`
}

/** The replies with a workspace. */
export function workspaceKey({ id, version }: WorkspaceState): string {
  return `${id}@${version}`
}
