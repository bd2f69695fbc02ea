import type { Coverage } from '#store/access/covered-projects.ts'
import type { Rights } from '#store/access/sessions.ts'
import type { ProjectInstance } from '#store/catalogue/catalogue.ts'

/*
 * What a person may do with a project. Rights name instances of projects, so that a project which is deleted and created
 * again with the same id is not covered. Rights without a list of projects cover all, also later ones.
 */

/** Whether a person may see the published guide of a project. */
export function covers({ projects }: Pick<Rights, 'projects'>, { project, instance }: ProjectInstance): boolean {
  return !projects || projects.some(each => each.project === project && each.instance === instance)
}

/** Whether a person may see the draft of a project: a right to drafts, or to manage or edit the project. */
export function coversDraft(person: Rights, project: ProjectInstance): boolean {
  return (person.drafts && covers(person, project)) || manages(person, project) || edits(person, project)
}

/** Whether a person may publish, restore and share a project. */
export function manages({ manages: coverage }: Pick<Rights, 'manages'>, project: ProjectInstance): boolean {
  return isWithin(coverage, project)
}

/** Whether a person manages all projects of their workspace, also later ones, and so the workspace itself. */
export function managesAll({ manages }: Pick<Rights, 'manages'>): boolean {
  return manages !== undefined && manages.projects === undefined
}

/** Whether a person may change the pages and values of a project in the editor. */
export function edits({ edits: coverage }: Pick<Rights, 'edits'>, project: ProjectInstance): boolean {
  return isWithin(coverage, project)
}

/** Whether a person edits all projects of their workspace, and may add others. */
export function editsAll({ edits }: Pick<Rights, 'edits'>): boolean {
  return edits !== undefined && edits.projects === undefined
}

/** Without a coverage, a person has the right nowhere. */
function isWithin(coverage: Coverage | undefined, project: ProjectInstance): boolean {
  return coverage !== undefined && covers(coverage, project)
}
