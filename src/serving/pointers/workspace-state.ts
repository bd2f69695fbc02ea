import { lazy } from '#platform/base/object.ts'
import { compareStrings } from '#platform/base/text.ts'
import type { PublishedProject } from '#store/catalogue/catalogue.ts'

/** A workspace and its published projects at one moment. It is replaced as a whole, and never changed. */
export type WorkspaceState = {
  id: string
  name: string
  /** Unique for each state in this process. */
  version: number
  /** The published projects, by name, then id. */
  published: readonly PublishedProject[]
  open: readonly PublishedProject[]
  /** The published projects by id, without drafts: looking up one takes as long as looking up a missing project. */
  projects: ReadonlyMap<string, PublishedProject>
}

export function workspaceState(id: string, name: string, projects: readonly PublishedProject[]): WorkspaceState {
  const published = projects.toSorted((a, b) => byName(placeOf(a), placeOf(b)))
  return {
    id,
    name,
    version: ++lastVersion,
    published,
    open: published.filter(record => record.published.visibility === 'public'),
    projects: new Map(published.map(record => [record.project.toString(), record])),
  }
}

let lastVersion = 0

/** Compares projects by name in natural order (2 before 10, ignoring case and accents), then by id. */
export function byName(a: NamedProject, b: NamedProject): number {
  return nameOrder().compare(a.name, b.name) || compareStrings(a.project, b.project)
}

type NamedProject = { name: string; project: string }

/** Created on first use: it takes milliseconds. */
const nameOrder = lazy(() => new Intl.Collator('en', { numeric: true, sensitivity: 'base' }))

function placeOf({ project, published: { name } }: PublishedProject): NamedProject {
  return { name, project }
}
