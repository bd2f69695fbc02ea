import { sortInSteps, yieldIfDue } from '../../base/steps.ts'
import { compareStrings } from '../../base/text.ts'
import type { PublishedProject } from '../../store/catalogue/catalogue.ts'

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

/** A state of a workspace with these projects, which are in the order of `inNameOrder`. */
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

/** These projects by name, then id, in steps. Those whose order takes long to tell are put in their places one by one. */
export async function inNameOrder(records: readonly PublishedProject[]): Promise<PublishedProject[]> {
  const keyed: { key: string; record: PublishedProject }[] = []
  const others: PublishedProject[] = []
  for (const record of records) {
    const key = plainKey(record.published.name)
    if (key === undefined) others.push(record)
    else keyed.push({ key, record })
    const turn = yieldIfDue()
    if (turn) await turn
  }
  const byKey = await sortInSteps(
    keyed,
    (a, b) => compareStrings(a.key, b.key) || compareStrings(a.record.project, b.record.project),
  )
  const sorted = byKey.map(({ record }) => record)
  for (const record of others) {
    insertByName(sorted, record)
    await yieldIfDue()
  }
  return sorted
}

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
  return nameOrder().compare(a.name, b.name) || compareStrings(a.project, b.project)
}

type NamedProject = { name: string; project: string }

/** Made when it is first needed: it takes milliseconds, and the names of most stores are plain. */
function nameOrder(): Intl.Collator {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator
}

let collator: Intl.Collator | undefined

/**
 * A text whose code units have the order of `nameOrder`, which takes twenty times as long to compare, for names of ASCII
 * letters, digits and spaces; undefined for others. Each number is led by how many digits it has.
 */
export function plainKey(name: string): string | undefined {
  if (!PLAIN.test(name) || LONG_NUMBER.test(name)) return undefined
  return name.toLowerCase().replace(/0*(\d+)/g, (_, digits: string) => digits.length + digits)
}

const PLAIN = /^[a-zA-Z0-9 ]*$/
/** Numbers have nine digits at most. */
const LONG_NUMBER = /[1-9]\d{9}/

function placeOf({ project, published: { name } }: PublishedProject): NamedProject {
  return { name, project }
}
