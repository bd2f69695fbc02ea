import { serviceLogFor } from '../compose/access.ts'
import { withStore } from '../compose/store.ts'
import { type Running, startService } from '../compose.ts'
import { publishAll } from '../publishing/publish.ts'
import { projectStates } from '../publishing/status.ts'
import type { Settings } from '../settings.ts'
import { type Arguments, isGiven, type Run } from './command.ts'
import { CommandFailure, unwrap } from './failure.ts'
import { type Io, jsonLine, visible } from './io.ts'
import { addressLines, trialLines, trialToken, untilEnded } from './listening.ts'
import type { Store } from './reach.ts'
import { settingsOf } from './settings.ts'

/** `serve [folder]` */
export const run: Run = async (args, io) => {
  const settings = await settingsOf(args, io)
  return withStore(settings, async store => {
    const [folder] = args.operands
    const imported = folder === undefined ? undefined : await importAndPublish(store, folder, settings, args, io)
    if (imported === 'errors') return 1
    const log = await serviceLogFor(settings, io.isTerminal)
    const running = await startService(settings, store, log).catch(error => failToListen(error, settings))
    try {
      await tellListening(store, running, imported?.workspace, settings, args, io)
      return await untilEnded(io)
    } finally {
      await running.stop()
      await log.end()
    }
  })
}

function failToListen(error: unknown, { host, port }: Settings): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    throw new CommandFailure(
      'port-taken',
      `port ${port} of ${host} is in use: name another with --port, or 0 for a free one`,
    )
  if (code === 'EADDRNOTAVAIL')
    throw new CommandFailure('host-unknown', `${host} is no address of this machine: name one with --host`)
  throw error
}

async function importAndPublish(
  store: Store,
  name: string,
  settings: Settings,
  args: Arguments,
  io: Io,
): Promise<{ workspace: string } | 'errors'> {
  const { importFolder } = await import('../publishing/import/import.ts')
  const { brandFolder, findingLine, findingSummary, hasErrors, whileReading } = await import('./reading.ts')
  const folder = await brandFolder(name, io)
  const { workspace, projects, findings } = await whileReading(settings, io, options =>
    importFolder(store, folder, { ...options, isDryRun: false, now: () => new Date() }),
  )
  const isRefused = workspace === null || hasErrors(findings)
  if (isRefused && isGiven(args, 'json'))
    throw new CommandFailure('findings', `${findingSummary(findings)} in ${visible(name)}: see housestyle check`)
  for (const finding of findings) io.err(findingLine(finding, io.hasColor.err))
  if (findings.length > 0) io.err(`${findingSummary(findings)}\n`)
  if (isRefused) return 'errors'
  const places = projects.map(({ project }) => ({ workspace, project }))
  unwrap(await publishAll(store, places, undefined, new Date()))
  return { workspace }
}

async function tellListening(
  store: Store,
  running: Running,
  workspace: string | undefined,
  settings: Settings,
  args: Arguments,
  io: Io,
): Promise<void> {
  const { url, baseUrl } = running
  const token = isGiven(args, 'printToken') ? await tokenFor(store, workspace, settings, io) : undefined
  if (isGiven(args, 'json')) {
    io.out(`${jsonLine({ event: 'listening', url, base_url: baseUrl })}\n`)
    if (token) io.out(`${jsonLine({ event: 'token', ...token })}\n`)
    return
  }
  const states = await projectStates(store, {})
  io.out(await addressLines(store, running))
  if (states.every(({ revision }) => revision === null))
    io.err('nothing is published yet: housestyle import <folder>, then housestyle publish --all\n')
  if (token) io.out(trialLines(token, baseUrl, 'an hour'))
}

const HOUR_SECONDS = 3600

async function tokenFor(store: Store, workspace: string | undefined, settings: Settings, io: Io) {
  const workspaces = new Set((await projectStates(store, {})).map(state => state.workspace))
  const only = workspace ?? (workspaces.size === 1 ? [...workspaces][0] : undefined)
  if (only === undefined)
    throw new CommandFailure(
      'which-workspace',
      '--print-token: the store has not just one workspace; use housestyle token issue <workspace>',
    )
  const token = await trialToken(store, { workspace: only, lifetimeSeconds: HOUR_SECONDS }, settings, io)
  if (!token.ok) throw new CommandFailure('not-found', token.problem)
  return token.value
}
