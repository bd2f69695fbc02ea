import type { Publication } from './publications/publications.ts'

/** The name of a project, with the name of its workspace in front unless it already begins with it. */
export function guideName({ publication, workspace }: { publication: Publication; workspace: string }): string {
  const { name } = publication.published
  return name.toLowerCase().startsWith(workspace.toLowerCase()) ? name : `${workspace} – ${name}`
}
