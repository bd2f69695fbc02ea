import type { Finding } from '#brand/finding.ts'
import { placeText } from '#brand/ids.ts'
import { openServiceLog } from '#platform/telemetry/log.ts'
import type { PreviewEvent, PreviewRead } from '#publishing/preview/preview.ts'
import { previewEvents } from '#publishing/preview/preview-events.ts'
import { servedProjects } from '#publishing/status.ts'
import type { IssuedToken } from '#serving/access/token/issue.ts'
import { addressesFor } from '../../../compose/address.ts'
import type { RunningService } from '../../../compose/compose.ts'
import { withEmptyStore } from '../../../compose/store.ts'
import { findBrandFolder } from '../../brand-folder.ts'
import { type Arguments, hasFlag, type Io, type Run, untilInterrupted } from '../../command.ts'
import { findingLine, findingSummary, hasErrors, jsonLine } from '../../output/output.ts'
import { changeLabels, firstLines, paint, visible } from '../../output/text.ts'
import { openInBrowser } from '../../service-address.ts'
import { type CommandSettings, loadSettings } from '../../settings.ts'
import { addressLines, curlLine, issueDemoToken, MAX_SHOWN, type ServeCommand, startListening } from './serve.ts'

export const run: Run = async (args, io) => {
  const folder = await findBrandFolder(args.operands[0] ?? '.', io)
  const commandSettings = await devSettings(args, io)
  return withEmptyStore(commandSettings, async (store, settings) => {
    const context = { store, settings: { ...commandSettings, ...settings }, io, args }
    await servePreview(folder, context).catch((error: unknown) => {
      if (!io.signal.aborted) throw error
    })
    return untilInterrupted(io)
  })
}

/** Removes the settings of a permanent service: public address, hosts, limits, secret and trusted issuers. */
async function devSettings(args: Arguments, io: Io): Promise<CommandSettings> {
  const options = { rate: 'off', ...args.options }
  const { publicUrl: _, limits: __, keySecret: ___, ...rest } = await loadSettings({ ...args, options }, io)
  return { ...rest, trust: [], hosts: new Map() }
}

/** Serves a folder until a signal. The service starts at the first event, when the folder has been read once. */
async function servePreview(folder: string, context: ServeCommand): Promise<void> {
  const { store, settings, io, args } = context
  const { data, maxFile, maxItems } = settings
  const report = hasFlag(args, 'json') ? jsonReport(io) : textReport(io)
  const log = openServiceLog(settings.log, io.isTerminal)
  let running: RunningService | undefined
  const newToken = demoTokens(context)
  let state: FolderState = { findings: [] }
  try {
    for await (const event of previewEvents({ data, folder, caps: { maxFile, maxItems } }, io.signal)) {
      const isFirst = running === undefined
      running ??= await startListening(context, log, { isLive: true, folder })
      state = stateAfter(state, event)
      running.showFolder(state)
      if (isFirst) {
        const urls = await addressesFor(store, running.url, settings)
        report.listening(running, addressLines(await servedProjects(store, MAX_SHOWN + 1), running, urls))
      }
      const token = await newToken(event)
      if (isFirst && hasFlag(args, 'open')) await openInBrowser(siteAddress(event, running.url), io)
      report.event(event, isFirst, token)
    }
  } finally {
    await running?.stop()
    await log.end()
  }
}

/** With `--print-token`, issues a token at the first event, and again whenever the folder has become another workspace. */
function demoTokens(context: ServeCommand): (event: PreviewEvent) => Promise<IssuedToken | undefined> {
  let issuedFor: string | null = null
  return async event => {
    const workspace = event.kind === 'read' && hasFlag(context.args, 'printToken') ? event.workspace : null
    if (workspace === null || workspace === issuedFor) return undefined
    const token = await issueDemoToken(context, { workspace, lifetimeSeconds: DAY_SECONDS })
    if (!token.ok) return undefined
    issuedFor = workspace
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

type DevReport = {
  listening: (running: RunningService, addresses: string) => void
  /** For people, the first event prints only findings, and the token is the last line. */
  event: (event: PreviewEvent, isFirst: boolean, token: IssuedToken | undefined) => void
}

/** Also shown on the pages while the folder is missing. */
const FOLDER_GONE = 'the folder is missing; its last version is served until it returns'

/** Prints each event as one line of JSON. */
function jsonReport(io: Io): DevReport {
  const changesSince = trackChanges()
  const print = (event: string, value: object) => io.out(`${jsonLine({ event, ...value })}\n`)
  return {
    listening: ({ url, baseUrl }) => print('listening', { url, base_url: baseUrl }),
    event: (event, _, token) => {
      if (token) print('token', token)
      const { isBack, added, fixed } = changesSince(event)
      if (isBack) print('back', {})
      if (event.kind === 'gone') print('gone', {})
      if (event.kind === 'failed') print('failed', { message: event.message })
      if (event.kind !== 'read') return
      const { published, removed, findings, milliseconds } = event
      for (const publication of published) print('published', { ...publication, milliseconds })
      for (const ref of removed) print('removed', ref)
      if (added.length + fixed.length > 0) print('findings', { findings })
    },
  }
}

function textReport(io: Io): DevReport {
  const changesSince = trackChanges()
  const newlyServed = trackServed()
  const print = (text: string) => io.err(`${text}\n`)
  // `listening` is called before the first event.
  let url = ''
  let localUrl = ''
  return {
    listening: (running, addresses) => {
      url = running.url
      localUrl = running.localUrl
      io.out(addresses)
    },
    event: (event, isFirst, token) => {
      const changes = changesSince(event)
      if (changes.isBack) print('the folder has returned')
      if (event.kind === 'gone') print(FOLDER_GONE)
      if (event.kind === 'failed') print(`cannot read the folder: ${visible(event.message)}`)
      if (event.kind === 'read') {
        const addresses = newlyServed(event).map(name => `${name}  ${url}/${name}`)
        const lines = isFirst ? [] : [...addresses, ...publicationLines(event, io)]
        for (const line of lines) io.out(`${line}\n`)
        printChangedFindings(event.findings, changes, io)
      }
      if (isFirst) print(`\nOpen ${siteAddress(event, url)} in a browser: it shows your changes as you save them.`)
      if (token) io.out(`\nTry the API with curl, for a day:\n${curlLine(token, { localUrl })}`)
    },
  }
}

type Changes = { isBack: boolean; added: Finding[]; fixed: Finding[] }

/** Compares each event with the earlier ones. A finding on another line is still the same finding. */
function trackChanges(): (event: PreviewEvent) => Changes {
  let lastFindings: readonly Finding[] = []
  let wasGone = false
  return event => {
    const isBack = wasGone && event.kind !== 'gone'
    wasGone = event.kind === 'gone'
    if (event.kind !== 'read') return { isBack, added: [], fixed: [] }
    const added = without(event.findings, lastFindings)
    const fixed = without(lastFindings, event.findings)
    lastFindings = event.findings
    return { isBack, added, fixed }
  }
}

/** The findings that are not among the others. If two are equal and the others have it once, one is left. */
function without(findings: readonly Finding[], others: readonly Finding[]): Finding[] {
  const keys = others.map(findingKey)
  return findings.filter(finding => {
    const at = keys.indexOf(findingKey(finding))
    if (at !== -1) keys.splice(at, 1)
    return at === -1
  })
}

function findingKey({ project, path, rule, message }: Finding): string {
  return JSON.stringify([project, path, rule, message])
}

/** Makes a function that lists the projects that an event is the first to serve. */
function trackServed(): (event: PreviewRead) => string[] {
  const served = new Set<string>()
  return ({ published, removed }) => {
    const added = published.map(placeText).filter(name => !served.has(name))
    for (const name of added) served.add(name)
    for (const ref of removed) served.delete(placeText(ref))
    return added
  }
}

/** The address to open first: the only project, or the list of projects. */
function siteAddress(event: PreviewEvent, url: string): string {
  const [first, ...others] = event.kind === 'read' ? event.published : []
  return first && others.length === 0 ? `${url}/${placeText(first)}` : `${url}/`
}

function publicationLines({ published, removed, milliseconds }: PreviewRead, io: Io): string[] {
  const lines = published.map(publication => {
    const shown = firstLines(changeLabels(publication, io.hasColor.out), MAX_LABELS, more => `… and ${more} more`)
    const what = shown.length > 0 ? shown.join(', ') : 'name or order'
    return `${placeText(publication)} revision ${publication.revision}: ${what} (${milliseconds} ms)`
  })
  return [...lines, ...removed.map(ref => `${placeText(ref)}: removed, no longer served`)]
}

/** Further changes are only counted; `--json` lists all. */
const MAX_LABELS = 6

function printChangedFindings(findings: readonly Finding[], { added, fixed }: Changes, io: Io): void {
  for (const finding of fixed) io.err(`${paint(io.hasColor.err, 'green', 'fixed')} ${findingLine(finding, false)}`)
  for (const finding of added) io.err(`+ ${findingLine(finding, io.hasColor.err)}`)
  if (added.length + fixed.length === 0) return
  const note = hasErrors(findings) ? '; projects with errors keep their last good version' : ''
  io.err(`${findingSummary(findings)}${note}\n`)
}
