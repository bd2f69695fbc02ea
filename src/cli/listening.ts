import { once } from 'node:events'
import { selectScopes } from '../access/client/scope-selection.ts'
import { type IssuedToken, issueToken } from '../access/token/issue.ts'
import { CLI_CLIENT } from '../access/token/own-issuer.ts'
import { ok, type Result } from '../base/result.ts'
import { auditFor, tokenIssuerFor } from '../compose/access.ts'
import type { Running } from '../compose.ts'
import { projectStates } from '../publishing/status.ts'
import type { Settings } from '../settings.ts'
import { type Io, table } from './io.ts'
import type { Store } from './reach.ts'

/** Where everything is that a service serves, a line each. */
export async function addressLines(store: Store, { url, baseUrl }: Running): Promise<string> {
  const published = (await projectStates(store, {})).filter(({ revision }) => revision !== null)
  return table([
    ['API', baseUrl],
    ['Documentation', `${url}/docs`],
    ...published.map(({ workspace, project }) => [`${workspace}/${project}`, `${url}/${workspace}/${project}`]),
  ])
}

/** A token of all scopes and projects, for trying; the problem says that the store has no such workspace. */
export async function trialToken(
  store: Store,
  { workspace, lifetimeSeconds }: { workspace: string; lifetimeSeconds: number },
  settings: Settings,
  io: Io,
): Promise<Result<IssuedToken, string>> {
  const selected = await selectScopes(store.database, { workspace, scopes: [], projects: [] })
  if (!selected.ok) return selected
  const record = await auditFor(settings, io.isTerminal)
  const request = { ...selected.value, lifetimeSeconds, client: CLI_CLIENT }
  return ok(await issueToken(tokenIssuerFor(settings, store, record), request, new Date()))
}

/** The token, and a line that uses it. */
export function trialLines({ token, workspace }: IssuedToken, baseUrl: string, period: string): string {
  const curl = `curl -H 'Authorization: Bearer ${token}' ${baseUrl}/workspace/${workspace}/projects`
  return `\nA token that is valid for ${period}, for trying:\n${token}\n\nTry:\n${curl}\n`
}

/** Waits until the command is to end; gives its exit code. */
export async function untilEnded({ signal }: Io): Promise<number | 'interrupted'> {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason instanceof Error && signal.reason.message === 'SIGINT' ? 'interrupted' : 0
}
