import { selectScopes } from '../../../access/client/scope-selection.ts'
import { createShare, shareUrl } from '../../../access/share/shares.ts'
import { type IssuedToken, issueToken } from '../../../access/token/issue.ts'
import { CLI_CLIENT } from '../../../access/token/own-issuer.ts'
import { ok, type Result } from '../../../base/result.ts'
import { shellWord } from '../../../base/text.ts'
import type { ProjectRef } from '../../../brand/ids.ts'
import { accessFor, auditFor } from '../../../compose/access.ts'
import type { RunningService } from '../../../compose/running.ts'
import { API_PATH } from '../../../contract/operations.ts'
import type { Store } from '../../command.ts'
import { unwrap } from '../../failure.ts'
import type { Io } from '../../io.ts'
import type { CommandSettings } from '../../settings/settings.ts'

type Parts = { store: Store; settings: CommandSettings; io: Io }

/** Issues a token for all scopes and projects, to try the API with. Fails if the workspace does not exist. */
export async function issueDemoToken(
  { store, settings, io }: Parts,
  { workspace, lifetimeSeconds }: { workspace: string; lifetimeSeconds: number },
): Promise<Result<IssuedToken, string>> {
  const selection = await selectScopes(store.database, { workspace, scopes: [], projects: [] })
  if (!selection.ok) return selection
  const audit = auditFor(settings, io.isTerminal)
  const wanted = { ...selection.value, lifetimeSeconds, client: CLI_CLIENT }
  return ok(await issueToken(accessFor(settings, store, audit), wanted, store.clock.date()))
}

/** A share link to a private project, as `serve --json` prints it. */
export type DemoShare = ProjectRef & { url: string; expiresAt: string }

/** Creates share links that expire at the same time as a token. */
export async function shareUntil(
  { store, settings, io }: Parts,
  projects: readonly ProjectRef[],
  { expiresAt }: IssuedToken,
  { url }: RunningService,
): Promise<DemoShare[]> {
  const access = accessFor(settings, store, auditFor(settings, io.isTerminal))
  const now = store.clock.date()
  const lifetimeSeconds = (Date.parse(expiresAt) - now.getTime()) / 1000
  const made: DemoShare[] = []
  for (const { workspace, project } of projects) {
    const share = unwrap(await createShare(access, { workspace, project, lifetimeSeconds }, now))
    made.push({ workspace, project, url: shareUrl(url, share), expiresAt: share.expiresAt })
  }
  return made
}

/** A curl command that tries the API with a token. It uses the local address, which needs no proxy and no DNS. */
export function curlLine({ token, workspace }: IssuedToken, { localUrl }: Pick<RunningService, 'localUrl'>): string {
  const address = `${localUrl}${API_PATH}/workspace/${workspace}/projects`
  return `curl -H 'Authorization: Bearer ${token}' ${shellWord(address)}\n`
}
