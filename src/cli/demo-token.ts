import { selectScopes } from '../access/client/scope-selection.ts'
import { type IssuedToken, issueToken } from '../access/token/issue.ts'
import { CLI_CLIENT } from '../access/token/own-issuer.ts'
import { ok, type Result } from '../base/result.ts'
import { auditFor, tokenIssuerFor } from '../compose/access.ts'
import type { Settings } from '../settings.ts'
import type { Store } from './command.ts'
import type { Io } from './io.ts'

/** Issues a token of all scopes and projects, to try the API with; the problem is that the store has no such workspace. */
export async function issueDemoToken(
  store: Store,
  { workspace, lifetimeSeconds }: { workspace: string; lifetimeSeconds: number },
  settings: Settings,
  io: Io,
): Promise<Result<IssuedToken, string>> {
  const selection = await selectScopes(store.database, { workspace, scopes: [], projects: [] })
  if (!selection.ok) return selection
  const audit = await auditFor(settings, io.isTerminal)
  const wanted = { ...selection.value, lifetimeSeconds, client: CLI_CLIENT }
  return ok(await issueToken(tokenIssuerFor(settings, store, audit), wanted, new Date()))
}
