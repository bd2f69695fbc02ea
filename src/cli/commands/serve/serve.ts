import type { IssuedToken } from '../../../access/token/issue.ts'
import { withTimeout } from '../../../base/promise.ts'
import { serviceLogFor } from '../../../compose/access.ts'
import { placeName, withStore } from '../../../compose/store.ts'
import { type RunningService, startService } from '../../../compose.ts'
import { publishAll } from '../../../publishing/publish.ts'
import { type ServedProject, servedIn, servedProjects, soleWorkspace } from '../../../publishing/status.ts'
import { version } from '../../about.ts'
import { type Arguments, hasFlag, type Io, type Run, type Store, untilInterrupted } from '../../command.ts'
import { CommandFailure, EXIT, unwrap } from '../../failure.ts'
import { jsonLine } from '../../output/output.ts'
import { table, visible } from '../../output/text.ts'
import { warnIfLocal } from '../../service-address.ts'
import { type CommandSettings, loadSettings } from '../../settings/settings.ts'
import { addressLines, curlLine, failToListen, issueDemoToken, MAX_SHOWN, shareUntil } from './startup.ts'

/** `serve [folder]` */
export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [name] = args.operands
  if (name !== undefined && settings.git.length > 0)
    throw new CommandFailure('usage', 'serve publishes a folder or follows git repositories, not both: give one')
  const folder = name === undefined ? undefined : await findFolder(name, io)
  const log = serviceLogFor(settings, io.isTerminal)
  const work = async (store: Store, reportCreated: () => void) => {
    const context = { store, settings, args, io }
    const imported = folder === undefined ? undefined : await importAndPublish(folder, context)
    if (imported === 'has errors') return EXIT.failed
    const build = { version: version(), node: io.nodeVersion }
    const { environment, kill } = io
    const running = await startService(settings, store, log, { build, environment, ...(kill && { kill }) }).catch(
      error => failToListen(error, settings),
    )
    io.outlastReaders?.(log.isWriting)
    try {
      await firstPull(running, context)
      reportCreated()
      await printStart(running, imported?.workspace, context)
      return await untilInterrupted(io)
    } finally {
      await running.stop()
    }
  }
  const waiting = (outage: Error) =>
    log.warn({ err: outage }, `the service waits up to 30 seconds for its database: ${outage.message}`)
  // Importing a folder needs the tables of this version, as in other commands.
  const isService = folder === undefined
  return withStore({ ...settings, isService }, work, { waiting, signal: io.signal }).finally(log.end)
}

type Context = { store: Store; settings: CommandSettings; args: Arguments; io: Io }

/** The brand folder. Fails before a store is created if there is none. */
async function findFolder(name: string, io: Io): Promise<string> {
  const { findBrandFolder } = await import('../../brand-folder.ts') // Most services start without a folder.
  return findBrandFolder(name, io)
}

async function importAndPublish(
  folder: string,
  { store, settings, args, io }: Context,
): Promise<{ workspace: string } | 'has errors'> {
  // Loaded here, because most services start without a folder.
  const { importFolder } = await import('../../../publishing/import/import.ts')
  const { withReadOptions } = await import('../../brand-folder.ts')
  const { findingSummary, hasErrors, printFindings } = await import('../../output/output.ts')
  const { printWaiting } = await import('../../output/progress.ts')
  const { workspace, projects, findings } = await withReadOptions(settings, io, options =>
    importFolder(store, folder, {
      ...options,
      isDryRun: false,
      now: store.clock.date,
      waiting: printWaiting(args, io),
    }),
  )
  const [name = folder] = args.operands
  const isRefused = workspace === null || hasErrors(findings)
  if (isRefused && hasFlag(args, 'json'))
    throw new CommandFailure('findings', `${findingSummary(findings)} in ${visible(name)}: see \`housestyle check\``)
  printFindings(findings, io)
  if (isRefused) return 'has errors'
  const refs = projects.map(({ project }) => ({ workspace, project }))
  unwrap(await publishAll(store, refs, undefined, store.clock.date()))
  return { workspace }
}

/** Waits for the first pull of an empty store, whose addresses are printed then; a large repository takes minutes. */
async function firstPull({ pulled }: RunningService, { store, io }: Context): Promise<void> {
  if (!pulled || (await servedProjects(store, 1)).length > 0) return
  io.err('waiting for the first pull of the git repository\n')
  await withTimeout(MAX_PULL_WAIT_MS, Promise.race([pulled, untilInterrupted(io)]), () => undefined)
}

const MAX_PULL_WAIT_MS = 60_000

async function printStart(running: RunningService, workspace: string | undefined, context: Context): Promise<void> {
  const { store, args, io } = context
  const { url, baseUrl, localUrl } = running
  const token = hasFlag(args, 'printToken') ? await demoToken(workspace, context) : undefined
  const opened = token ? await servedIn(store, token.workspace) : []
  const shares = token ? await shareUntil(context, opened.filter(isPrivate), token, running) : []
  await running.catchUp()
  warnIfLocal(url, args, io)
  if (hasFlag(args, 'json')) {
    const local = localUrl !== url && { local_url: localUrl }
    io.out(`${jsonLine({ event: 'listening', url, base_url: baseUrl, ...local })}\n`)
    for (const share of shares) io.out(`${jsonLine({ event: 'share', ...share })}\n`)
    if (token) io.out(`${jsonLine({ event: 'token', ...token })}\n`)
    return
  }
  const served = await servedProjects(store, MAX_SHOWN + 1)
  const marked = served.map(each =>
    each.isPrivate
      ? { ...each, hint: `private: ${args.commandLine('share', [`${each.workspace}/${each.project}`])}` }
      : each,
  )
  io.out(args.completeCommands(addressLines(marked, running)))
  if (served.length === 0) {
    const place = visible(placeName(context.settings))
    const steps = context.settings.git.length > 0 ? 'see `housestyle pull --status`' : FIRST_STEPS
    io.err(args.completeCommands(`nothing is published yet in the store ${place}: ${steps}\n`))
  }
  if (!token) return
  const rows = shares.map(({ workspace, project, url }) => [`${workspace}/${project}`, url])
  if (rows.length > 0) io.out(`\nOpen private projects with these links, for an hour:\n${table(rows)}`)
  io.out(`\nTry the API, for an hour:\n${curlLine(token, running)}`)
}

const FIRST_STEPS = 'run `housestyle import <folder>`, then `housestyle publish <workspace/project>`'
const HOUR_SECONDS = 3600

/** A token for the imported workspace, or for the only one in the store. */
async function demoToken(imported: string | undefined, context: Context): Promise<IssuedToken> {
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

function isPrivate(project: ServedProject): boolean {
  return project.isPrivate
}
