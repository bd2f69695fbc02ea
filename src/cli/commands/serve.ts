import { setFlagsFromString } from 'node:v8'
import { errorCode } from '../../base/error.ts'
import { serviceLogFor } from '../../compose/access.ts'
import { withStore } from '../../compose/store.ts'
import { type Running, startService } from '../../compose.ts'
import { publishAll } from '../../publishing/publish.ts'
import { projectStates } from '../../publishing/status.ts'
import type { Settings } from '../../settings.ts'
import { type Arguments, hasFlag, type Run, type Store } from '../command.ts'
import { issueDemoToken } from '../demo-token.ts'
import { CommandFailure, unwrap } from '../failure.ts'
import { EXIT } from '../failure-codes.ts'
import { type Io, untilInterrupted } from '../io.ts'
import { jsonLine } from '../output/json.ts'
import { addressLines, demoTokenLines } from '../output/service.ts'
import { visible } from '../output/text.ts'
import { loadSettings } from '../settings/settings.ts'

/** `serve [folder]` */
export const run: Run = async (args, io) => {
  setFlagsFromString(SMALL_HEAP)
  const settings = await loadSettings(args, io)
  return withStore(settings, async store => {
    const context = { store, settings, args, io }
    const [folder] = args.operands
    const imported = folder === undefined ? undefined : await importAndPublish(folder, context)
    if (imported === 'has errors') return EXIT.failed
    const log = await serviceLogFor(settings, io.isTerminal)
    const running = await startService(settings, store, log).catch(error => failToListen(error, settings))
    try {
      await printStart(running, imported?.workspace, context)
      return await untilInterrupted(io)
    } finally {
      await running.stop()
      await log.end()
    }
  })
}

/**
 * Has V8 collect when the heap is a third larger than what is in use; by itself it waits until it is several times as
 * large. Set once, when the process starts: V8 looks at it at each collection.
 */
const SMALL_HEAP = '--heap-growing-percent=30'

type Context = { store: Store; settings: Settings; args: Arguments; io: Io }

async function importAndPublish(
  name: string,
  { store, settings, args, io }: Context,
): Promise<{ workspace: string } | 'has errors'> {
  // Loaded here, for most services start with a store that is imported already.
  const { importFolder } = await import('../../publishing/import/import.ts')
  const { findBrandFolder, withReadOptions } = await import('../brand-folder.ts')
  const { findingSummary, hasErrors, printFindings } = await import('../output/findings.ts')
  const folder = await findBrandFolder(name, io)
  const { workspace, projects, findings } = await withReadOptions(settings, io, options =>
    importFolder(store, folder, { ...options, isDryRun: false, now: () => new Date() }),
  )
  const isRefused = workspace === null || hasErrors(findings)
  if (isRefused && hasFlag(args, 'json'))
    throw new CommandFailure('findings', `${findingSummary(findings)} in ${visible(name)}: see housestyle check`)
  printFindings(findings, io)
  if (isRefused) return 'has errors'
  const refs = projects.map(({ project }) => ({ workspace, project }))
  unwrap(await publishAll(store, refs, undefined, new Date()))
  return { workspace }
}

function failToListen(error: unknown, { host, port }: Settings): never {
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    throw new CommandFailure(
      'port_taken',
      `port ${port} of ${host} is in use: name another with --port, or 0 for a free one`,
    )
  if (code === 'EADDRNOTAVAIL')
    throw new CommandFailure('host_unknown', `${host} is no address of this machine: name one with --host`)
  throw error
}

async function printStart(running: Running, workspace: string | undefined, context: Context): Promise<void> {
  const { store, args, io } = context
  const { url, baseUrl } = running
  const token = hasFlag(args, 'printToken') ? await demoToken(workspace, context) : undefined
  if (hasFlag(args, 'json')) {
    io.out(`${jsonLine({ event: 'listening', url, base_url: baseUrl })}\n`)
    if (token) io.out(`${jsonLine({ event: 'token', ...token })}\n`)
    return
  }
  const projects = await projectStates(store, {})
  io.out(addressLines(projects, running))
  if (projects.every(({ revision }) => revision === null))
    io.err('nothing is published yet: housestyle import <folder>, then housestyle publish --all\n')
  if (token) io.out(demoTokenLines(token, baseUrl, 'an hour'))
}

const HOUR_SECONDS = 3600

/** A token for the workspace that was imported, else for the only one in the store. */
async function demoToken(imported: string | undefined, { store, settings, io }: Context) {
  const workspace = imported ?? (await onlyWorkspace(store))
  if (workspace === undefined)
    throw new CommandFailure(
      'workspace_ambiguous',
      '--print-token: the store has not just one workspace; use housestyle token issue <workspace>',
    )
  const token = await issueDemoToken(store, { workspace, lifetimeSeconds: HOUR_SECONDS }, settings, io)
  if (!token.ok) throw new CommandFailure('not_found', token.problem)
  return token.value
}

async function onlyWorkspace(store: Store): Promise<string | undefined> {
  const workspaces = new Set((await projectStates(store, {})).map(({ workspace }) => workspace))
  return workspaces.size === 1 ? [...workspaces][0] : undefined
}
