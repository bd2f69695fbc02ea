/** The statuses of a project, as replies have them. */
export const PROJECT_STATUSES = ['Draft', 'Changed', 'UpToDate', 'Processing'] as const

export type ProjectStatus = (typeof PROJECT_STATUSES)[number]

/** The status of a project: the first that applies. It follows from the project's pointers, and is never stored. */
export function projectStatus(project: {
  isCopying: boolean
  isPublished: boolean
  isDraftPublished: boolean
}): ProjectStatus {
  if (project.isCopying) return 'Processing'
  if (!project.isPublished) return 'Draft'
  return project.isDraftPublished ? 'UpToDate' : 'Changed'
}
