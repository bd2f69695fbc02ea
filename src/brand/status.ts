/** The state of a project as replies give it. */
export const PROJECT_STATUSES = ['Draft', 'Changed', 'UpToDate', 'Processing'] as const

/** One of the states of a project. */
export type ProjectStatus = (typeof PROJECT_STATUSES)[number]

/** The state of a project, derived from its pointers and never stored; the first that applies, in this order. */
export function projectStatus(project: {
  isCopying: boolean
  isPublished: boolean
  isDraftPublished: boolean
}): ProjectStatus {
  if (project.isCopying) return 'Processing'
  if (!project.isPublished) return 'Draft'
  return project.isDraftPublished ? 'UpToDate' : 'Changed'
}
