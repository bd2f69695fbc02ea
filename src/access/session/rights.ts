import type { SessionRecord } from '../../store/access/sessions.ts'
import type { ProjectInstance } from '../../store/catalogue/catalogue.ts'

/** Whether a person may see a project of their workspace. */
export function covers({ projects }: Pick<SessionRecord, 'projects'>, { project, instance }: ProjectInstance): boolean {
  return !projects || projects.some(each => each.project === project && each.instance === instance)
}

/** Whether a person may publish a project of their workspace, and change who sees it. */
export function manages(person: Pick<SessionRecord, 'manages'>, project: ProjectInstance): boolean {
  return person.manages !== undefined && covers(person.manages, project)
}

/** Whether a person manages all projects of their workspace, also later ones, and so the workspace itself. */
export function managesAll({ manages }: Pick<SessionRecord, 'manages'>): boolean {
  return manages !== undefined && manages.projects === undefined
}

/** Whether a person may see the draft of a project of their workspace. */
export function coversDraft(
  person: Pick<SessionRecord, 'projects' | 'drafts' | 'manages'>,
  project: ProjectInstance,
): boolean {
  return (person.drafts && covers(person, project)) || manages(person, project)
}
