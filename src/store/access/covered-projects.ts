import type { ProjectInstance } from '../catalogue/catalogue.ts'
import { optional, type PrintedProperty, strings, text } from '../database/table.ts'

/** The projects that a person or a connection may see; absent: all of its workspace. */
export type Coverage = { projects?: readonly ProjectInstance[] }

const IDS = optional(strings('projects'))
const INSTANCES = optional(strings('instances'))

/** The projects that something covers, printed as their ids. Absent: all projects of the workspace. */
export const PROJECTS: PrintedProperty<readonly ProjectInstance[] | undefined, readonly string[] | null> = {
  columns: [...IDS.columns, ...INSTANCES.columns],
  read: row => {
    const [ids, instances] = [IDS.read(row), INSTANCES.read(row)]
    if (instances && instances.length !== ids?.length)
      throw new Error(`the column instances has ${instances.length} values for ${ids?.length ?? 'no'} projects`)
    return ids?.map((project, at) => ({ project, instance: instances?.[at] ?? '' }))
  },
  values: projects => [
    ...IDS.values(projects && idsOf(projects)),
    ...INSTANCES.values(projects?.map(({ instance }) => instance)),
  ],
  state: projects => (projects ? idsOf(projects) : null),
}

/** Scopes, separated by spaces. */
export function scopes(column: string) {
  return text(column, 'a list of scopes', value => /^[\x21-\x7e]*(?: [\x21-\x7e]+)*$/.test(value))
}

function idsOf(projects: readonly ProjectInstance[]): string[] {
  return projects.map(({ project }) => project)
}

/** The projects in both lists; undefined if neither is limited. */
export function commonProjects(
  one: readonly ProjectInstance[] | undefined,
  other: readonly ProjectInstance[] | undefined,
): readonly ProjectInstance[] | undefined {
  if (!one || !other) return one ?? other
  return one.filter(({ project, instance }) =>
    other.some(each => each.project === project && each.instance === instance),
  )
}
