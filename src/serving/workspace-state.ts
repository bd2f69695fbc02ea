import { textOrder } from '../base/text.ts'
import type { PublishedProject } from '../store/catalogue/catalogue.ts'

/** A workspace and what is published of it at one moment: replaced as a whole, never changed. */
export type WorkspaceState = {
  id: string
  name: string
  /** Differs whenever anything else does: no two states of a process have the same. */
  version: number
  /** What is published, by name, then id. */
  published: readonly PublishedProject[]
  /** What of it everyone may see. */
  open: readonly PublishedProject[]
  /** What is published by id: looking a draft up takes as long as looking up what does not exist. */
  projects: ReadonlyMap<string, PublishedProject>
}

/** A state of a workspace with these projects, which are in the order of `insertByName`. */
export function workspaceState(id: string, name: string, published: readonly PublishedProject[]): WorkspaceState {
  return {
    id,
    name,
    version: ++made,
    published,
    open: published.filter(record => record.published.visibility === 'public'),
    projects: new Map(published.map(record => [record.project.toString(), record])),
  }
}

let made = 0

/** Adds a project to a list at its place by name, then id. */
export function insertByName(list: PublishedProject[], record: PublishedProject): void {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = list[middle]
    if (other && byName(placeOf(other), placeOf(record)) < 0) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, record)
}

/** The order of lists of projects: by name as people sort (2 before 10, letters whatever their case and accents), then id. */
export function byName(a: NamedProject, b: NamedProject): number {
  return NAME_ORDER.compare(a.name, b.name) || textOrder(a.project, b.project)
}

type NamedProject = { name: string; project: string }

const NAME_ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function placeOf({ project, published: { name } }: PublishedProject): NamedProject {
  return { name, project }
}
