import { sortInSteps, yieldIfDue } from '../../base/steps.ts'
import { compareStrings } from '../../base/text.ts'
import type { PublishedProject } from '../../store/catalogue/catalogue.ts'

/** A workspace and its published projects at one moment. It is replaced as a whole, and never changed. */
export type WorkspaceState = {
  id: string
  name: string
  /** Unique for each state in this process. */
  version: number
  /** The published projects, by name, then id. */
  published: readonly PublishedProject[]
  /** The public projects among them. */
  open: readonly PublishedProject[]
  /**
   * The published projects by id. Drafts are not in it, so looking up a draft takes as long as looking up a missing
   * project.
   */
  projects: ReadonlyMap<string, PublishedProject>
}

/** Creates a state of a workspace from projects in the order of `inNameOrder`. */
export function workspaceState(id: string, name: string, published: readonly PublishedProject[]): WorkspaceState {
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

/** Sorts projects by name, then id, in steps. Projects whose names are slow to compare are inserted one by one. */
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

/** Inserts a project into a list that is sorted by name, then id. */
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

/** Compares projects by name in natural order (2 before 10, ignoring case and accents), then by id. */
export function byName(a: NamedProject, b: NamedProject): number {
  return nameOrder().compare(a.name, b.name) || compareStrings(a.project, b.project)
}

type NamedProject = { name: string; project: string }

/** Created on first use: it takes milliseconds, and most stores need only plain names. */
function nameOrder(): Intl.Collator {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator
}

let collator: Intl.Collator | undefined

/**
 * A sort key for names of ASCII letters, digits and spaces: it gives the order of `nameOrder`, whose comparison takes
 * twenty times as long. Undefined for other names. The digits of each number follow their count.
 */
export function plainKey(name: string): string | undefined {
  if (!PLAIN.test(name) || LONG_NUMBER.test(name)) return undefined
  return name.toLowerCase().replace(/0*(\d+)/g, (_, digits: string) => digits.length + digits)
}

const PLAIN = /^[a-zA-Z0-9 ]*$/
/** A sort key allows numbers of at most nine digits. */
const LONG_NUMBER = /[1-9]\d{9}/

function placeOf({ project, published: { name } }: PublishedProject): NamedProject {
  return { name, project }
}
