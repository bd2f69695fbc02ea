import { withoutUndefined } from '#platform/base/object.ts'
import type { AccessEvent, Audit } from '#platform/telemetry/access-event.ts'
import type { PublishResult } from './publish.ts'

type Publication = Pick<PublishResult, 'workspace' | 'project' | 'revision' | 'changed' | 'translations'> & {
  workspaceChanges?: readonly string[]
}

/** Records what a committed transaction has published: every publication has a line in the log, whoever made it. */
export function auditPublications(
  audit: Audit,
  results: readonly Publication[],
  by: Pick<AccessEvent, 'via' | 'subject' | 'commit'>,
  event: 'published' | 'restored' = 'published',
): void {
  for (const { changed, workspace, project, revision, workspaceChanges, translations } of results)
    if (changed || workspaceChanges)
      audit({ event, workspace, project, revision, ...withoutUndefined({ ...by, workspaceChanges, translations }) })
}
