import { serviceLogFor } from '../compose/access.ts'
import { withEmptyStore } from '../compose/store.ts'
import { type Running, startService } from '../compose.ts'
import type { PreviewEvent } from '../publishing/preview/preview.ts'
import { previewEvents } from '../publishing/preview/preview-events.ts'
import type { Settings } from '../settings.ts'
import { type Arguments, isGiven, type Run } from './command.ts'
import { FOLDER_GONE, reportFor } from './dev-report.ts'
import type { Io } from './io.ts'
import { addressLines, trialToken, untilEnded } from './listening.ts'
import type { Store } from './reach.ts'
import { brandFolder } from './reading.ts'
import { settingsOf } from './settings.ts'

/** `dev [folder]` */
export const run: Run = async (args, io) => {
  const folder = await brandFolder(args.operands[0] ?? '.', io)
  const asked = await devSettings(args, io)
  return withEmptyStore(asked, async (store, settings) => {
    await serveWhileWritten(store, folder, settings, isGiven(args, 'json'), io).catch((error: unknown) => {
      if (!io.signal.aborted) throw error
    })
    return untilEnded(io)
  })
}

/** What is meant for a service that lasts (its public address, its secrets, whom it trusts) is not for this one. */
async function devSettings(args: Arguments, io: Io): Promise<Settings> {
  const options = { rate: 'off', ...args.options }
  const { publicUrl: _, limits: __, keySecret: ___, ...rest } = await settingsOf({ ...args, options }, io)
  return { ...rest, trust: [] }
}

async function serveWhileWritten(
  store: Store,
  folder: string,
  settings: Settings,
  isJson: boolean,
  io: Io,
): Promise<void> {
  const { data, maxFile, maxItems } = settings
  const report = reportFor(io, isJson)
  const log = await serviceLogFor(settings, io.isTerminal)
  let running: Running | undefined
  let known: string | null = null
  let state: FolderState = { findings: [] }
  try {
    for await (const news of previewEvents({ data, folder, caps: { maxFile, maxItems } }, io.signal)) {
      const isFirst = running === undefined
      running ??= await startService(settings, store, log, true)
      state = stateAfter(state, news)
      running.tell(state)
      if (isFirst) report.listening(running, await addressLines(store, running))
      const workspace = news.kind === 'read' ? news.workspace : null
      if (workspace !== null && workspace !== known) {
        const token = await trialToken(store, { workspace, lifetimeSeconds: DAY_SECONDS }, settings, io)
        if (token.ok) {
          report.token(token.value, running)
          known = workspace
        }
      }
      report.news(news, isFirst)
    }
  } finally {
    await running?.stop()
    await log.end()
  }
}

type FolderState = Parameters<Running['tell']>[0]

/** Findings stay as they were told while the folder cannot be read. */
function stateAfter({ findings }: FolderState, news: PreviewEvent): FolderState {
  if (news.kind === 'read') return { findings: news.findings }
  if (news.kind === 'gone') return { findings, trouble: `${FOLDER_GONE}.` }
  return { findings, trouble: `The folder cannot be read: ${news.message}` }
}

/** As long as a day's work. */
const DAY_SECONDS = 24 * 3600
