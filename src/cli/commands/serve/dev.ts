import type { IssuedToken } from '../../../access/token/issue.ts'
import { serviceLogFor } from '../../../compose/access.ts'
import { withEmptyStore } from '../../../compose/store.ts'
import { type RunningService, startService } from '../../../compose.ts'
import type { PreviewEvent } from '../../../publishing/preview/preview.ts'
import { previewEvents } from '../../../publishing/preview/preview-events.ts'
import { servedProjects } from '../../../publishing/status.ts'
import { findBrandFolder } from '../../brand-folder.ts'
import { type Arguments, hasFlag, type Run, type Store } from '../../command.ts'
import { type Io, untilInterrupted } from '../../io.ts'
import { openInBrowser } from '../../output/browser.ts'
import { type CommandSettings, loadSettings } from '../../settings/settings.ts'
import { devReport, FOLDER_GONE, siteAddress } from './dev-report.ts'
import { addressLines, failToListen, issueDemoToken, MAX_SHOWN } from './startup.ts'

/** `dev [folder]` */
export const run: Run = async (args, io) => {
  const folder = await findBrandFolder(args.operands[0] ?? '.', io)
  const wanted = await devSettings(args, io)
  return withEmptyStore(wanted, async (store, settings) => {
    const context = { store, settings: { ...wanted, ...settings }, io, args }
    await servePreview(folder, context).catch((error: unknown) => {
      if (!io.signal.aborted) throw error
    })
    return untilInterrupted(io)
  })
}

type Context = { store: Store; settings: CommandSettings; io: Io; args: Arguments }

/** Removes the settings of a permanent service: public address, limits, secret and trusted issuers. */
async function devSettings(args: Arguments, io: Io): Promise<CommandSettings> {
  const options = { rate: 'off', ...args.options }
  const { publicUrl: _, limits: __, keySecret: ___, ...rest } = await loadSettings({ ...args, options }, io)
  return { ...rest, trust: [] }
}

async function servePreview(folder: string, context: Context): Promise<void> {
  const { store, settings, io, args } = context
  const { data, maxFile, maxItems } = settings
  const report = devReport(io, hasFlag(args, 'json'))
  const log = serviceLogFor(settings, io.isTerminal)
  let running: RunningService | undefined
  const tokens = demoTokens(context)
  let state: FolderState = { findings: [] }
  try {
    for await (const event of previewEvents({ data, folder, caps: { maxFile, maxItems } }, io.signal)) {
      const isFirst = running === undefined
      running ??= await startService(settings, store, log, { isLive: true }).catch(error =>
        failToListen(error, settings),
      )
      state = stateAfter(state, event)
      running.showFolder(state)
      if (isFirst) report.listening(running, addressLines(await servedProjects(store, MAX_SHOWN + 1), running))
      const token = await tokens(event)
      if (isFirst && hasFlag(args, 'open')) await openInBrowser(siteAddress(event, running.url), io)
      report.event(event, isFirst, token)
    }
  } finally {
    await running?.stop()
    await log.end()
  }
}

/** Issues, with `--print-token`, a token for each successive workspace of the folder. */
function demoTokens(context: Context): (event: PreviewEvent) => Promise<IssuedToken | undefined> {
  let known: string | null = null
  return async event => {
    const workspace = event.kind === 'read' && hasFlag(context.args, 'printToken') ? event.workspace : null
    if (workspace === null || workspace === known) return undefined
    const token = await issueDemoToken(context, { workspace, lifetimeSeconds: DAY_SECONDS })
    if (!token.ok) return undefined
    known = workspace
    return token.value
  }
}

type FolderState = Parameters<RunningService['showFolder']>[0]

/** Keeps the last findings while the folder cannot be read. */
function stateAfter({ findings }: FolderState, event: PreviewEvent): FolderState {
  if (event.kind === 'read') return { findings: event.findings }
  if (event.kind === 'gone') return { findings, trouble: `${FOLDER_GONE}.` }
  return { findings, trouble: `The folder cannot be read: ${event.message}` }
}

const DAY_SECONDS = 24 * 3600
