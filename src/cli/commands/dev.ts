import { serviceLogFor } from '../../compose/access.ts'
import { withEmptyStore } from '../../compose/store.ts'
import { type Running, startService } from '../../compose.ts'
import type { PreviewEvent } from '../../publishing/preview/preview.ts'
import { previewEvents } from '../../publishing/preview/preview-events.ts'
import { projectStates } from '../../publishing/status.ts'
import type { Settings } from '../../settings.ts'
import { findBrandFolder } from '../brand-folder.ts'
import { type Arguments, hasFlag, type Run, type Store } from '../command.ts'
import { issueDemoToken } from '../demo-token.ts'
import { type Io, untilInterrupted } from '../io.ts'
import { devReport, FOLDER_GONE } from '../output/dev-report.ts'
import { addressLines } from '../output/service.ts'
import { loadSettings } from '../settings/settings.ts'

/** `dev [folder]` */
export const run: Run = async (args, io) => {
  const folder = await findBrandFolder(args.operands[0] ?? '.', io)
  const wanted = await devSettings(args, io)
  return withEmptyStore(wanted, async (store, settings) => {
    const context = { store, settings, io, isJson: hasFlag(args, 'json') }
    await servePreview(folder, context).catch((error: unknown) => {
      if (!io.signal.aborted) throw error
    })
    return untilInterrupted(io)
  })
}

type Context = { store: Store; settings: Settings; io: Io; isJson: boolean }

/** Leaves out what is for a service that lasts: its public address, its secrets, whom it trusts. */
async function devSettings(args: Arguments, io: Io): Promise<Settings> {
  const options = { rate: 'off', ...args.options }
  const { publicUrl: _, limits: __, keySecret: ___, ...rest } = await loadSettings({ ...args, options }, io)
  return { ...rest, trust: [] }
}

async function servePreview(folder: string, { store, settings, io, isJson }: Context): Promise<void> {
  const { data, maxFile, maxItems } = settings
  const report = devReport(io, isJson)
  const log = await serviceLogFor(settings, io.isTerminal)
  let running: Running | undefined
  let tokenWorkspace: string | null = null
  let state: FolderState = { findings: [] }
  try {
    for await (const event of previewEvents({ data, folder, caps: { maxFile, maxItems } }, io.signal)) {
      const isFirst = running === undefined
      running ??= await startService(settings, store, log, true)
      state = stateAfter(state, event)
      running.tell(state)
      if (isFirst) report.listening(running, addressLines(await projectStates(store, {}), running))
      const workspace = event.kind === 'read' ? event.workspace : null
      if (workspace !== null && workspace !== tokenWorkspace) {
        const token = await issueDemoToken(store, { workspace, lifetimeSeconds: DAY_SECONDS }, settings, io)
        if (token.ok) {
          report.token(token.value, running)
          tokenWorkspace = workspace
        }
      }
      report.event(event, isFirst)
    }
  } finally {
    await running?.stop()
    await log.end()
  }
}

type FolderState = Parameters<Running['tell']>[0]

/** The findings stay while the folder cannot be read. */
function stateAfter({ findings }: FolderState, event: PreviewEvent): FolderState {
  if (event.kind === 'read') return { findings: event.findings }
  if (event.kind === 'gone') return { findings, trouble: `${FOLDER_GONE}.` }
  return { findings, trouble: `The folder cannot be read: ${event.message}` }
}

/** As long as a day's work. */
const DAY_SECONDS = 24 * 3600
