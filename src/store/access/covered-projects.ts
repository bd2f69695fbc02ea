import { field } from '#platform/base/object.ts'
import type { ProjectInstance } from '../catalogue/catalogue.ts'
import { isStringList, json, optional, type PrintedProperty, text } from '../database/table.ts'

/** The projects that a person or a connection may see; absent: all of its workspace. */
export type Coverage = { projects?: readonly ProjectInstance[] }

/** The sessions and connections of a workspace, of a person in it, or with an address that its issuer has not verified. */
export type SessionsOf = { workspace?: string | undefined; subject?: string; unverifiedEmail?: string }

/** The projects that something covers, printed as their ids. Absent: all projects of the workspace. */
export const PROJECTS: PrintedProperty<readonly ProjectInstance[] | undefined, readonly string[] | null> = {
  ...optional(json<readonly ProjectInstance[]>('projects', 'a JSON list of projects', isProjectList)),
  state: projects => (projects ? idsOf(projects) : null),
}

/** Whether a value is a list of projects with their instances. */
export function isProjectList(value: unknown): boolean {
  return Array.isArray(value) && value.every(each => isStringList([field(each, 'project'), field(each, 'instance')]))
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
  // An absent list has all projects, so the other one is the intersection.
  if (!one || !other) return one ?? other
  return one.filter(({ project, instance }) =>
    other.some(each => each.project === project && each.instance === instance),
  )
}
