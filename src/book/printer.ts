import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { OperationalError } from '../base/error.ts'

/** What pages are printed with. */
export type PrinterOptions = {
  /** The path of Chromium, or of a browser made from it. */
  chromium: string
  /** A folder that the browser may fill. */
  profile: string
  /** Whether the user is root, for whom Chromium has no sandbox. */
  isRoot: boolean
  signal: AbortSignal
  /** Sends a signal to a group of processes, by its number below zero. Throws if none is left. */
  kill: ((id: number, signal: NodeJS.Signals) => void) | undefined
}

/** Prints pages; the browser ends when it is closed. */
export type Printer = {
  /** A page that a file has as PDF, with the numbers of its pages at their feet and its headings as bookmarks. */
  print: (url: string) => Promise<Uint8Array>
  close: () => Promise<void>
}

/**
 * Starts Chromium without a window and without a network, and speaks to it by the DevTools protocol over a pipe.
 *
 * @throws {OperationalError} `export_impossible` if it does not start or does not print in time
 */
export function openPrinter({ chromium, profile, isRoot, signal, kill }: PrinterOptions): Printer {
  const child = spawn(chromium, [...ARGUMENTS, `--user-data-dir=${profile}`, ...(isRoot ? ['--no-sandbox'] : [])], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: true, // The browser and the processes that it starts are a group.
    killSignal: 'SIGKILL',
    timeout: MAX_MS,
    signal,
  })
  const ended = new Promise<never>((_, reject) => {
    const fail = (cause?: Error) =>
      reject(
        signal.aborted
          ? signal.reason
          : new OperationalError('export_impossible', `${chromium} does not print: is it Chromium?`, { cause }),
      )
    child.once('error', fail).once('exit', () => fail())
  })
  ended.catch(() => undefined)
  const devtools = openDevtools(child)
  return {
    print: url => Promise.race([printed(devtools, url), ended]),
    close: async () => {
      const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null
      // Not `once`, which would end with the error that an abort is, before the browser does.
      const gone = isRunning && new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      // Another process of the browser would make its folder in the profile again.
      try {
        if (child.pid !== undefined) kill?.(-child.pid, 'SIGKILL')
      } catch {} // All have ended.
      await gone
    },
  }
}

/** A book that takes longer has something in it that never ends. */
const MAX_MS = 10 * 60_000

/** No window, no network, nothing of the user's: names of hosts are known to nobody. */
const ARGUMENTS = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-gpu',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  'about:blank',
]

type Values = Readonly<Record<string, unknown>>
type Devtools = {
  send: (method: string, params?: Values, sessionId?: string) => Promise<Values>
  /** Resolves when the browser says this next. */
  heard: (method: string) => Promise<void>
}

/** Messages are JSON, each followed by NUL. */
function openDevtools({ stdio: [, , , input, output] }: ChildProcess): Devtools {
  const waiting = new Map<number, { resolve: (value: Values) => void; reject: (error: Error) => void }>()
  const listening = new Map<string, () => void>()
  const [toBrowser, fromBrowser] = [input, output] as const
  if (!isWritable(toBrowser) || !isReadable(fromBrowser)) throw new Error('the browser has no pipes')
  toBrowser.on('error', () => undefined)
  let rest: Buffer = Buffer.alloc(0)
  fromBrowser.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      receive(JSON.parse(rest.subarray(0, end).toString()))
      rest = rest.subarray(end + 1)
    }
  })
  const receive = (message: { id?: number; method?: string; result?: Values; error?: { message: string } }) => {
    const { id, method, result, error } = message
    if (method !== undefined) listening.get(method)?.()
    const asked = id === undefined ? undefined : waiting.get(id)
    if (error) asked?.reject(new Error(`the browser refuses: ${error.message}`))
    else asked?.resolve(result ?? {})
  }
  let last = 0
  return {
    send: (method, params = {}, sessionId) => {
      const id = ++last
      toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
    heard: method => new Promise(resolve => listening.set(method, resolve)),
  }
}

function isWritable(stream: unknown): stream is Writable {
  return typeof stream === 'object' && stream !== null && 'write' in stream
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'read' in stream
}

async function printed({ send, heard }: Devtools, url: string): Promise<Uint8Array> {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  if (typeof sessionId !== 'string') throw new Error('the browser opens no page')
  await send('Page.enable', {}, sessionId)
  await send('Emulation.setEmulatedMedia', { media: 'print' }, sessionId)
  const loaded = heard('Page.loadEventFired')
  await send('Page.navigate', { url }, sessionId)
  await loaded
  await send('Runtime.evaluate', { expression: 'document.fonts.ready.then(() => 1)', awaitPromise: true }, sessionId)
  const { stream } = await send('Page.printToPDF', PRINTING, sessionId)
  const pieces: Buffer[] = []
  for (;;) {
    const { data, eof } = await send('IO.read', { handle: stream, size: 1 << 20 }, sessionId)
    pieces.push(Buffer.from(String(data), 'base64'))
    if (eof === true) break
  }
  await send('Target.closeTarget', { targetId })
  return Buffer.concat(pieces)
}

/** Chromium Page.printToPDF; the foot has the number of the page. */
const PRINTING = {
  printBackground: true,
  preferCSSPageSize: true,
  displayHeaderFooter: true,
  headerTemplate: '<span></span>',
  footerTemplate:
    '<div style="width:100%;font:8px sans-serif;text-align:center;color:#666"><span class="pageNumber"></span></div>',
  generateTaggedPDF: true,
  generateDocumentOutline: true,
  transferMode: 'ReturnAsStream',
}
