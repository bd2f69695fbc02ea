import { lazy } from '#platform/base/object.ts'
import { compareStrings } from '#platform/base/text.ts'
import type { PublishedProject } from '#store/catalogue/catalogue.ts'
import { findIn, type Readable } from '#store/database/damaged-row.ts'

/** A workspace and its published projects at one moment. It is replaced as a whole, and never changed. */
export type WorkspaceState = {
  id: string
  name: string
  /** Unique for each state in this process. */
  version: number
  /** The published projects, by name, then id. Throws if the row of one is damaged, as do the next two. */
  published: readonly PublishedProject[]
  open: readonly PublishedProject[]
  /** Finds a published project by id, without drafts. Takes as long for a missing one. */
  projects: { get: (id: string) => PublishedProject | undefined }
  /** The published projects without damaged ones, for what is about another one. */
  sound: readonly PublishedProject[]
}

export function workspaceState(id: string, name: string, projects: Readable<PublishedProject>): WorkspaceState {
  const sound = projects.records.toSorted((a, b) => byName(namedProject(a), namedProject(b)))
  const open = sound.filter(isOpen)
  const find = findIn(
    projects,
    ({ project }) => project,
    // The damaged row of a revision names its project, that of a project has its own id.
    ({ project, id }) => project ?? id,
  )
  // A list that lacks a damaged project would hide it.
  const unlessDamaged = <Value>(list: Value) => {
    for (const row of projects.damaged) throw row
    return list
  }
  return {
    id,
    name,
    version: ++lastVersion,
    sound,
    get published() {
      return unlessDamaged(sound)
    },
    get open() {
      return unlessDamaged(open)
    },
    projects: { get: project => find(project)[0] },
  }
}

/** Whether everyone may see a published project. */
export function isOpen({ published }: Pick<PublishedProject, 'published'>): boolean {
  return published.visibility === 'public'
}

let lastVersion = 0

/** Compares projects by name in natural order (2 before 10, ignoring case and accents), then by id. */
export function byName(a: NamedProject, b: NamedProject): number {
  return nameOrder().compare(a.name, b.name) || compareStrings(a.project, b.project)
}

type NamedProject = { name: string; project: string }

/** Created on first use: it takes milliseconds. */
const nameOrder = lazy(() => new Intl.Collator('en', { numeric: true, sensitivity: 'base' }))

function namedProject({ project, published: { name } }: PublishedProject): NamedProject {
  return { name, project }
}
