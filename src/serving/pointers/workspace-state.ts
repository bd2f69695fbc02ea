import { lazy } from '#platform/base/object.ts'
import { compareStrings } from '#platform/base/text.ts'
import type { PublishedProject, PublishedProjects } from '#store/catalogue/catalogue.ts'
import { findIn } from '#store/database/damaged-row.ts'
import type { DamagedRow } from '#store/store-error.ts'

/** A workspace and its published projects at one moment. It is replaced as a whole, and never changed. */
export type WorkspaceState = {
  id: string
  name: string
  /** Unique for each state in this process. */
  version: number
  /** The published projects, by name, then id. Throws if the row of one is damaged, as do the next three. */
  published: readonly PublishedProject[]
  /** Those that everyone may see. */
  open: readonly PublishedProject[]
  /** Finds a published project by id, without drafts. Takes as long for a missing one. */
  projects: { get: (id: string) => PublishedProject | undefined }
  /** The same for those that everyone may see: undefined also for a hidden one with a damaged row. */
  openProjects: { get: (id: string) => PublishedProject | undefined }
  /** The published projects without damaged ones, for what is about another one. */
  sound: readonly PublishedProject[]
}

/** Makes the state of a workspace from its projects, which everyone may see (`open`) or not (`hidden`). */
export function workspaceState(id: string, name: string, { open, hidden }: PublishedProjects): WorkspaceState {
  const allProjects = inOrder([...open.records, ...hidden.records], [...open.damaged, ...hidden.damaged])
  const openProjects = inOrder(open.records, open.damaged)
  return {
    id,
    name,
    version: ++lastVersion,
    sound: allProjects.records,
    get published() {
      return allProjects.whole()
    },
    get open() {
      return openProjects.whole()
    },
    projects: allProjects,
    openProjects,
  }
}

/** Projects by name, then id, and functions that find them. */
function inOrder(unsorted: readonly PublishedProject[], damaged: DamagedRow[]) {
  const records = unsorted.toSorted((a, b) => byName(namedProject(a), namedProject(b)))
  const find = findIn(
    { records, damaged },
    ({ project }) => project,
    // The damaged row of a revision names its project, that of a project has its own id.
    ({ project, id }) => project ?? id,
  )
  // A list that lacks a damaged project would hide it.
  const whole = () => {
    for (const row of damaged) throw row
    return records
  }
  return { records, whole, get: (project: string) => find(project)[0] }
}

/** The published projects with these ids, or all, in order. Throws if the row of one is damaged. */
export function publishedIn(
  state: WorkspaceState,
  named?: readonly { project: string }[],
): readonly PublishedProject[] {
  if (!named) return state.published
  const found = new Set(named.map(({ project }) => state.projects.get(project)))
  return state.sound.filter(record => found.has(record))
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
