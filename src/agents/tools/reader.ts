import type { MaybePromise } from '../../base/promise.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { similarTo } from '../../brand/similar.ts'
import type { Cache } from '../../caches/cache.ts'
import type { Scope } from '../../contract/operations.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { WorkspaceState } from '../../serving/pointers/workspace-state.ts'
import type { OpenPublication, Publication } from '../../serving/publications/publications.ts'

/** The content that one caller may read. Tools reach content only through it. */
export type Reader = {
  workspace: string
  workspaceName: string
  /** The projects that the caller may read, by name. */
  projects: WorkspaceState['published']
  scopes: ReadonlySet<Scope>
  /** Whether the reader is for one guide, so that tools take no project. */
  isGuide: boolean
  openPublication: OpenPublication
  /** Absolute addresses. */
  addresses: Addresses
  index: (publication: Publication) => MaybePromise<SearchIndex | undefined>
  /** The cache of prepared pages. */
  pages: Cache<PageText>
}

/** A page's Markdown with absolute addresses and picture descriptions, and its sections. */
export type PageText = { text: string; sections: readonly Section[] }

/** A section of a page: `start` to `end` with its subsections, `start` to `ownEnd` without them. */
export type Section = { heading: string; anchor: string; start: number; ownEnd: number; end: number }

/** Opens a project by id, or explains which projects exist. A guide's reader has only one, which needs no id. */
export function openProject(reader: Reader, id: string): Result<Publication, string> {
  const record = reader.isGuide ? reader.projects[0] : reader.projects.find(({ project }) => project === id)
  const publication = reader.openPublication(record)
  if (publication) return ok(publication)
  const ids = reader.projects.map(({ project }) => project.toString())
  return failed(notFound('project', id, ids, 'Call list_projects for all projects.'))
}

/** Explains that an id is unknown, with the nearest known ids and the next step. */
export function notFound(kind: string, id: string, ids: Iterable<string>, next: string): string {
  const nearest = similarTo(id, [...ids], MAX_NEAREST)
  const near = nearest.length === 0 ? `There is no ${kind} here.` : `The nearest ids are: ${nearest.join(', ')}.`
  return `No ${kind} has the id ${JSON.stringify(id.slice(0, MAX_SHOWN))}. ${near} ${next}`
}

const MAX_NEAREST = 8
const MAX_SHOWN = 100
