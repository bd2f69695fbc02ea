import type { CreatedShare } from '../../../access/share/shares.ts'

/** The URL of a share link at a service with this address. */
export function shareUrl(
  service: string,
  { workspace, project, linkSecret }: Pick<CreatedShare, 'workspace' | 'project' | 'linkSecret'>,
): string {
  return `${service}/${workspace}/${project}/-/share/${linkSecret}`
}
