import type { CreatedShare } from '../../../access/share/shares.ts'
import { DRAFT_PATH } from '../../../contract/draft-path.ts'

/** The URL of a share link at a service with this address. */
export function shareUrl(
  service: string,
  { workspace, project, draft, linkSecret }: Pick<CreatedShare, 'workspace' | 'project' | 'draft' | 'linkSecret'>,
): string {
  return `${service}/${workspace}/${project}${draft ? DRAFT_PATH : ''}/-/share/${linkSecret}`
}
