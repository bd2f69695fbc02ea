import { selectScopes } from '../../../access/client/scope-selection.ts'
import { createShare, shareUrl } from '../../../access/share/shares.ts'
import { type IssuedToken, issueToken } from '../../../access/token/issue.ts'
import { CLI_CLIENT } from '../../../access/token/own-issuer.ts'
import { errorCode } from '../../../base/error.ts'
import { ok, type Result } from '../../../base/result.ts'
import { shellWord } from '../../../base/text.ts'
import type { ProjectRef } from '../../../brand/ids.ts'
import { accessFor, auditFor } from '../../../compose/access.ts'
import type { RunningService } from '../../../compose.ts'
import { API_PATH } from '../../../contract/operations.ts'
import type { Settings } from '../../../settings.ts'
import type { Io, Store } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import { table } from '../../output/text.ts'
import type { CommandSettings } from '../../settings/settings.ts'

type Context = { store: Store; settings: CommandSettings; io: Io }

/** Issues a token for all scopes and projects, to try the API with. Fails if the workspace does not exist. */
export async function issueDemoToken(
  { store, settings, io }: Context,
  { workspace, lifetimeSeconds }: { workspace: string; lifetimeSeconds: number },
): Promise<Result<IssuedToken, string>> {
  const selection = await selectScopes(store.database, { workspace, scopes: [], projects: [] })
  if (!selection.ok) return selection
  const audit = auditFor(settings, io)
  const wanted = { ...selection.value, lifetimeSeconds, client: CLI_CLIENT }
  return ok(await issueToken(accessFor(settings, store, audit), wanted, store.clock.date()))
}

/** A share link to a private project, as `serve --json` prints it. */
export type DemoShare = ProjectRef & { url: string; expiresAt: string }

/** Creates share links that expire at the same time as a token. */
export async function shareUntil(
  { store, settings, io }: Context,
  projects: readonly ProjectRef[],
  { expiresAt }: IssuedToken,
  { url }: RunningService,
): Promise<DemoShare[]> {
  const access = accessFor(settings, store, auditFor(settings, io))
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

/** A published project. `hint` says how to open it if it is private. */
export type ServedProject = ProjectRef & { hint?: string }

/** The addresses of a service and of its first projects, one per line. */
export function addressLines(projects: readonly ServedProject[], { url, baseUrl, localUrl }: RunningService): string {
  const lines = table([
    ['API', baseUrl],
    ['Documentation', `${url}/docs`],
    ...(localUrl === url ? [] : [['Listens at', localUrl]]),
    ...projects
      .slice(0, MAX_SHOWN)
      .map(({ workspace, project, hint = '' }) => [`${workspace}/${project}`, `${url}/${workspace}/${project}`, hint]),
  ])
  return projects.length > MAX_SHOWN ? `${lines}… and more: \`housestyle status\` lists them all\n` : lines
}

export const MAX_SHOWN = 100

/** Throws a clear error if a service cannot listen; rethrows any other error. */
export function failToListen(error: unknown, { host, port }: Pick<Settings, 'host' | 'port'>): never {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      throw new CommandFailure(
        'port_taken',
        `port ${port} of ${host} is in use: name another with --port, or 0 for a free one`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      throw new CommandFailure('host_unknown', `${host} is not an address of this machine: name one with --host`)
    case 'EACCES':
      if (!isListening(error)) throw error
      throw new CommandFailure(
        'system_error',
        `this user may not listen on port ${port} of ${host}: name one from 1024 up with --port, or 0 for a free one`,
      )
    default:
      throw error
  }
}

function isListening(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind')
}
