/** The statuses of a project, as in API replies. */
export const PROJECT_STATUSES = ['Draft', 'Changed', 'UpToDate', 'Processing'] as const

export type ProjectStatus = (typeof PROJECT_STATUSES)[number]

/** The status of a project, computed from its pointers and never stored. */
export function projectStatus(project: {
  isCopying: boolean
  isPublished: boolean
  isDraftPublished: boolean
}): ProjectStatus {
  if (project.isCopying) return 'Processing'
  if (!project.isPublished) return 'Draft'
  return project.isDraftPublished ? 'UpToDate' : 'Changed'
}
