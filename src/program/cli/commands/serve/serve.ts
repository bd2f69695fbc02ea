import { API_PATH } from '#brand/contract/operations.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { errorCode } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { withTimeout } from '#platform/base/promise.ts'
import { ok, type Result } from '#platform/base/result.ts'
import { shellWord } from '#platform/base/text.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { SETTINGS } from '#platform/settings/table.ts'
import { type Log, openServiceLog, type ServiceLog } from '#platform/telemetry/log.ts'
import { auditPublications } from '#publishing/audit.ts'
import { publishAll } from '#publishing/publish.ts'
import { servedIn, servedProjects, soleWorkspace } from '#publishing/status.ts'
import { hostStates } from '#serving/access/hosts.ts'
import { createShare, shareUrl } from '#serving/access/share/shares.ts'
import { type IssuedToken, issueToken, selectScopes } from '#serving/access/token/issue.ts'
import { CLI_CLIENT } from '#serving/access/token/own-issuer.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import { accessFor } from '../../../compose/access.ts'
import { addressesFor } from '../../../compose/address.ts'
import { auditFor } from '../../../compose/audit.ts'
import { type RunningService, startService } from '../../../compose/compose.ts'
import { placeName, withStore } from '../../../compose/store.ts'
import { version } from '../../about.ts'
import { type Arguments, hasFlag, type Io, type Run, type Store, textOption, untilInterrupted } from '../../command.ts'
import { CommandFailure, EXIT, Misuse, unwrap } from '../../failure.ts'
import { takenProjects } from '../../in-store.ts'
import { findingSummary, hasErrors, jsonLine, printFindings } from '../../output/output.ts'
import { table, visible } from '../../output/text.ts'
import { warnIfLocal } from '../../service-address.ts'
import { type CommandSettings, loadSettings } from '../../settings.ts'

export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [name] = args.operands // Of a brand folder.
  if (name !== undefined && settings.git.length > 0)
    throw new Misuse('serve publishes a folder or follows git repositories, not both: give one')
  if (settings.edit && settings.git.length === 0) throw new Misuse(NOTHING_TO_EDIT)
  // Loaded here, because most services start without a folder. Fails before a store is created if there is none.
  const folder =
    name === undefined ? undefined : await (await import('../../brand-folder.ts')).findBrandFolder(name, io)
  const log = openServiceLog(settings.log, io.isTerminal)
  io.logConsole?.(log.warn)
  const work = (store: Store, reportCreated: () => void) =>
    serveStore({ store, settings, args, io }, { folder, log, reportCreated })
  const waiting = (outage: Error) =>
    log.warn({ err: outage }, `the service waits up to 30 seconds for its database: ${outage.message}`)
  // A service also runs on the tables of a newer version. Importing a folder needs those of this one, as other commands do.
  const isService = folder === undefined
  return withStore({ ...settings, isService }, work, { waiting, signal: io.signal }).finally(log.end)
}

const NOTHING_TO_EDIT =
  '--edit: only guides of followed repositories can be edited: name one with --git, or in git: in housestyle.yaml; to edit a folder, use `housestyle dev`'

type Serving = { folder: string | undefined; log: ServiceLog; reportCreated: () => void }

/** Serves a store until a signal, after it has imported the folder, if one is given. */
async function serveStore(context: ServeCommand, { folder, log, reportCreated }: Serving): Promise<number> {
  const { args, io } = context
  const imported = folder === undefined ? undefined : await importAndPublish(folder, context)
  if (imported === 'has errors') return EXIT.failed
  const running = await startListening(context, log, {
    build: { version: version(), node: io.nodeVersion },
    environment: io.environment,
    kill: io.kill,
    printBook: await printerFor(context, log),
    take: takenProjects(args),
  })
  io.outlastReaders?.(log.isWriting)
  try {
    await firstPull(running, context)
    reportCreated()
    await printStart(running, imported?.workspace, context)
    await warnOfHosts(context, running.url, log)
    return await untilInterrupted(io)
  } finally {
    await running.stop()
  }
}

export type ServeCommand = { store: Store; settings: CommandSettings; args: Arguments; io: Io }

/** Warns of the hosts of guides that cannot work. */
async function warnOfHosts({ store, settings }: ServeCommand, url: string, log: Log): Promise<void> {
  const { database } = store
  const hosts = await unlessDamaged(database, () => hostStates(database, settings.hosts, url))
  for (const { host, problem } of hosts ?? [])
    if (problem !== undefined) log.warn({ host }, `the host ${host} ${problem}`)
}

/** Prints books in the store of this service; undefined if it makes none, or without Chromium. */
async function printerFor({ settings, args, io }: ServeCommand, log: Log) {
  if (!settings.book) return undefined
  const { findChromium } = await import('../export/command-formats.ts')
  if (!(await findChromium(undefined, io).catch(() => undefined))) {
    log.warn({}, 'without Chromium in PATH, no books of guides are made here')
    return undefined
  }
  const { bookPrinter } = await import('../../../compose/print-book.ts')
  // The printer is another process, which reads the store's place from its environment.
  const flags = (['database', 'files'] as const).map(name => [SETTINGS[name].environment, textOption(args, name)])
  const storePlace = { ...Object.fromEntries(flags), [SETTINGS.data.environment]: settings.data }
  return bookPrinter({ ...io.environment, ...withoutUndefined(storePlace) })
}

/** Imports and publishes a folder before the service starts. With errors in it, prints them and publishes nothing. */
async function importAndPublish(folder: string, command: ServeCommand): Promise<{ workspace: string } | 'has errors'> {
  const { store, settings, args, io } = command
  // Loaded here, because most services start without a folder.
  const { importInto } = await import('../publish/import.ts')
  const { workspace, projects, findings } = await importInto(store, folder, command)
  const [typedFolder = folder] = args.operands
  const isRefused = workspace === null || hasErrors(findings)
  if (isRefused && hasFlag(args, 'json'))
    throw new CommandFailure(
      'findings',
      `${findingSummary(findings)} in ${visible(typedFolder)}: see \`housestyle check\``,
    )
  printFindings(findings, io)
  if (isRefused) return 'has errors'
  const refs = projects.map(({ project }) => ({ workspace, project }))
  const published = unwrap(await publishAll(store, refs, {}, store.clock.date()))
  auditPublications(auditFor(settings, io), published, { via: 'command' })
  return { workspace }
}

/** Waits for the first pull of an empty store, whose addresses are printed then; a large repository takes minutes. */
async function firstPull({ pulled }: RunningService, { store, io }: ServeCommand): Promise<void> {
  if (!pulled || (await servedProjects(store, 1)).length > 0) return
  io.err('waiting for the first pull of the git repository\n')
  await withTimeout(MAX_PULL_WAIT_MS, Promise.race([pulled, untilInterrupted(io)]), () => undefined)
}

const MAX_PULL_WAIT_MS = 60_000

/** Prints where the service is, with `--print-token` also a token and links to private projects, which end together. */
async function printStart(
  running: RunningService,
  importedWorkspace: string | undefined,
  context: ServeCommand,
): Promise<void> {
  const { store, args, io } = context
  const token = hasFlag(args, 'printToken') ? await demoToken(importedWorkspace, context) : undefined
  const privateProjects = token ? (await servedIn(store, token.workspace)).filter(each => each.isPrivate) : []
  const shares = token ? await shareUntil(context, privateProjects, token, running) : []
  // Before they are printed, the token and the links must work.
  await running.catchUp()
  warnIfLocal(running.url, args, io)
  if (hasFlag(args, 'json')) printStartEvents(running, { token, shares }, io)
  else await printStartText(running, { token, shares }, context)
}

type DemoAccess = { token: IssuedToken | undefined; shares: readonly DemoShare[] }

function printStartEvents({ url, baseUrl, localUrl }: RunningService, { token, shares }: DemoAccess, io: Io): void {
  const local = localUrl !== url && { local_url: localUrl }
  io.out(`${jsonLine({ event: 'listening', url, base_url: baseUrl, ...local })}\n`)
  for (const share of shares) io.out(`${jsonLine({ event: 'share', ...share })}\n`)
  if (token) io.out(`${jsonLine({ event: 'token', ...token })}\n`)
}

async function printStartText(
  running: RunningService,
  { token, shares }: DemoAccess,
  { store, settings, args, io }: ServeCommand,
): Promise<void> {
  const served = await servedProjects(store, MAX_SHOWN + 1)
  const withHints = served.map(each =>
    each.isPrivate
      ? { ...each, hint: `private: ${args.commandLine('share', [`${each.workspace}/${each.project}`])}` }
      : each,
  )
  const urls = await addressesFor(store, running.url, settings)
  io.out(args.completeCommands(addressLines(withHints, running, urls)))
  if (served.length === 0) {
    const place = visible(placeName(settings))
    const steps = settings.git.length > 0 ? 'see `housestyle pull --status`' : FIRST_STEPS
    io.err(args.completeCommands(`nothing is published yet in the store ${place}: ${steps}\n`))
  }
  if (!token) return
  const rows = shares.map(({ workspace, project, url }) => [`${workspace}/${project}`, url])
  if (rows.length > 0) io.out(`\nOpen private projects with these links, for an hour:\n${table(rows)}`)
  io.out(`\nTry the API with curl, for an hour:\n${curlLine(token, running)}`)
}

const FIRST_STEPS = 'run `housestyle import <folder>`, then `housestyle publish <workspace/project>`'
const HOUR_SECONDS = 3600

/** A token for the imported workspace, or for the only one in the store. */
async function demoToken(imported: string | undefined, context: ServeCommand): Promise<IssuedToken> {
  const workspace = imported ?? (await soleWorkspace(context.store))
  if (workspace === undefined)
    throw new CommandFailure(
      'workspace_ambiguous',
      '--print-token: the store does not have exactly one workspace; use `housestyle token issue <workspace>`',
    )
  const token = await issueDemoToken(context, { workspace, lifetimeSeconds: HOUR_SECONDS })
  if (!token.ok) throw new CommandFailure('not_found', token.problem)
  return token.value
}

/** Issues a token for all scopes and projects, to try the API with. Fails if the workspace does not exist. */
export async function issueDemoToken(
  { store, settings, io }: ServeCommand,
  { workspace, lifetimeSeconds }: { workspace: string; lifetimeSeconds: number },
): Promise<Result<IssuedToken, string>> {
  const selection = await selectScopes(store.database, { workspace, scopes: [], projects: [] })
  if (!selection.ok) return selection
  const audit = auditFor(settings, io)
  const wanted = { ...selection.value, lifetimeSeconds, client: CLI_CLIENT }
  return ok(await issueToken(accessFor(settings, store, audit), wanted, store.clock.date()))
}

type DemoShare = ProjectRef & { url: string; expiresAt: string }

/** Creates share links that expire at the same time as a token. */
async function shareUntil(
  { store, settings, io }: ServeCommand,
  projects: readonly ProjectRef[],
  { expiresAt }: IssuedToken,
  { url }: RunningService,
): Promise<DemoShare[]> {
  const access = accessFor(settings, store, auditFor(settings, io))
  const now = store.clock.date()
  const lifetimeSeconds = (Date.parse(expiresAt) - now.getTime()) / 1000
  const shares: DemoShare[] = []
  const urls = await addressesFor(store, url, settings)
  for (const { workspace, project } of projects) {
    const share = unwrap(await createShare(access, { workspace, project, lifetimeSeconds, by: { name: io.user } }, now))
    shares.push({ workspace, project, url: shareUrl(urls, share), expiresAt: share.expiresAt })
  }
  return shares
}

/** A curl command that tries the API with a token. It uses the local address, which needs no proxy and no DNS. */
export function curlLine({ token, workspace }: IssuedToken, { localUrl }: Pick<RunningService, 'localUrl'>): string {
  const address = `${localUrl}${API_PATH}/workspace/${workspace}/projects`
  return `curl -H 'Authorization: Bearer ${token}' ${shellWord(address)}\n`
}

/** The addresses of the service and of its projects, as a table. At most `MAX_SHOWN` projects are shown. */
export function addressLines(
  projects: readonly (ProjectRef & { hint?: string })[],
  { url, baseUrl, localUrl }: RunningService,
  urls: Awaited<ReturnType<typeof addressesFor>>,
): string {
  const lines = table([
    ['API', baseUrl],
    ['Documentation', `${url}/docs`],
    ...(localUrl === url ? [] : [['Listens at', localUrl]]),
    ...projects
      .slice(0, MAX_SHOWN)
      .map(({ hint = '', ...ref }) => [`${ref.workspace}/${ref.project}`, urls.project(ref), hint]),
  ])
  return projects.length > MAX_SHOWN ? `${lines}… and more: \`housestyle status\` lists them all\n` : lines
}

export const MAX_SHOWN = 100

/** Starts the service of a command. */
export function startListening(
  { store, settings, args }: ServeCommand,
  log: ServiceLog,
  options: Parameters<typeof startService>[3],
): Promise<RunningService> {
  return startService(settings, store, log, options).catch(error => failToListen(error, settings, args))
}

/** Throws a clear error if a service cannot listen; rethrows any other error. */
export function failToListen(
  error: unknown,
  { host, port }: Pick<Settings, 'host' | 'port'>,
  args: Pick<Arguments, 'withPort'>,
): never {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      throw new CommandFailure(
        'port_taken',
        `port ${port} of ${host} is in use: for a free one, run ${args.withPort(0)}`,
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
