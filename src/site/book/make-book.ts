import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Duplex } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { OperationalError } from '#platform/base/error.ts'
import { attempt } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import { makeTemporaryFolder } from '#store/temporary-folder.ts'
import { type BookFront, bookPage, type Chapter } from './book-page.ts'
import { type BookFormat, sheetSize } from './book-style.ts'
import { FIT } from './fit.ts'

/**
 * Prints a guide as one book: a cover, contents with page numbers, then each chapter. Prints twice, since only a printed
 * book shows on which page a chapter begins. `writeCopy` writes the copy of the guide to a folder, and returns the place
 * of each address in it. Also returns the names of parts that do not fit on a sheet.
 */
export async function makeBook(
  front: Omit<BookFront, 'logos'> & { logos: readonly { address: string; contentType: string }[] },
  chapters: readonly (Omit<Chapter, 'place'> & { address: string })[],
  writeCopy: (folder: string) => Promise<ReadonlyMap<string, string>>,
  { isLandscape, ...options }: Omit<PrinterOptions, 'profile'> & BookFormat,
): Promise<PrintedPdf> {
  await using folder = await makeTemporaryFolder(tmpdir(), 'book')
  const copy = join(folder.path, 'copy')
  const places = await writeCopy(copy)
  const placeOf = (address: string) => {
    const place = places.get(address)
    if (place === undefined) throw new Error(`the copy has nothing at ${address}`)
    return place
  }
  const placedChapters = chapters.map(({ address, ...chapter }) => ({ place: placeOf(address), ...chapter }))
  // As data, because a page from a disk may not read the pixels of other files, which `FIT` needs for its contrast.
  const logoAsData = async ({ address, contentType }: { address: string; contentType: string }) =>
    `data:${contentType};base64,${await readFile(join(copy, placeOf(address)), 'base64')}`
  const logos = await Promise.all(front.logos.map(logoAsData))
  const read = (place: string) => readFile(join(copy, place), 'utf8')
  const htmlWith = await bookPage({ ...front, logos }, placedChapters, read, { isLandscape })
  const printer = openPrinter({ ...options, profile: join(folder.path, 'profile') })
  try {
    return await printTwice(printer, join(copy, 'book.html'), htmlWith, sheetSize({ isLandscape }))
  } finally {
    await printer.close()
  }
}

/** Prints HTML without page numbers, then with the numbers that its first PDF has. `path` is the file to write it to. */
async function printTwice(
  printer: Printer,
  path: string,
  htmlWith: (pageNumbers: ReadonlyMap<string, number>) => string,
  sheet: SheetSize,
): Promise<PrintedPdf> {
  const address = pathToFileURL(path).href
  await writeFile(path, htmlWith(new Map()))
  const withoutNumbers = await printer.print(address, sheet)
  await writeFile(path, htmlWith(destinationPages(withoutNumbers.bytes)))
  return printer.print(address, sheet)
}

/**
 * The page numbers, from 1, of the named destinations in a PDF. Supports PDFs from Chromium: objects as plain text,
 * outside of streams (ISO 32000-2 §7.3, §12.3.2.4).
 */
function destinationPages(pdf: Uint8Array): Map<string, number> {
  const objects = objectsIn(Buffer.from(pdf).toString('latin1'))
  const catalog = [...objects.values()].find(body => /\/Type\s*\/Catalog/.test(body)) ?? ''
  const pageObjects = pagesInOrder(objects, groupsOf(/\/Pages\s+(\d+) 0 R/, catalog)[1] ?? '')
  const pageNumbers = new Map<string, number>()
  // `/chapter-3 [12 0 R /XYZ 0 700 0]` is a destination on the page with the object 12.
  const destinations = objects.get(groupsOf(/\/Dests\s+(\d+) 0 R/, catalog)[1] ?? '') ?? ''
  for (const [, name = '', page = ''] of destinations.matchAll(/\/([^\s/[\]<>()]+)\s*\[(\d+) 0 R/g)) {
    const at = pageObjects.indexOf(page)
    if (at !== -1) pageNumbers.set(name, at + 1)
  }
  return pageNumbers
}

/** The dictionaries of a PDF, keyed by the number of their object: `12 0 obj`, a dictionary, and `endobj` or a stream. */
function objectsIn(pdf: string): ReadonlyMap<string, string> {
  const matches = pdf.matchAll(/(?:^|\n)(\d+) 0 obj\s([\s\S]*?)(?:\nstream|\nendobj)/g)
  return new Map(matches.map(([, number = '', body = '']) => [number, body]))
}

/** The objects of the pages below a node of the page tree. A node has `/Kids [4 0 R 7 0 R]`; a page has none. */
function pagesInOrder(objects: ReadonlyMap<string, string>, number: string): string[] {
  const kids = groupsOf(/\/Kids\s*\[([^[\]]*)\]/, objects.get(number) ?? '')[1]
  if (kids === undefined) return [number]
  return [...kids.matchAll(/(?<!\d)(\d+) 0 R/g)].flatMap(([, kid = '']) => pagesInOrder(objects, kid))
}

/** The browser for printing, and its environment. */
type PrinterOptions = {
  /** The path to Chromium or to a browser based on it. */
  chromium: string
  profile: string
  /** Whether the user is root; Chromium has no sandbox for root. */
  isRoot: boolean
  signal: AbortSignal
  /** Sends a signal to a process group, given as a negative id. Throws if no process is left. */
  kill: ((id: number, signal: NodeJS.Signals) => void) | undefined
}

type SheetSize = { width: number; height: number }

/** A PDF, and the headings above parts that do not fit on a sheet. */
type PrintedPdf = { bytes: Uint8Array; cut: readonly string[] }

/** Prints pages; closing it ends the browser. */
type Printer = {
  /** Prints a file as PDF, with headings as bookmarks. `sheet` is the size of a sheet without its margins, in mm. */
  print: (url: string, sheet: SheetSize) => Promise<PrintedPdf>
  close: () => Promise<void>
}

/**
 * Starts Chromium without a window and without a network, and controls it over a pipe with the DevTools protocol.
 *
 * @throws {OperationalError} `export_impossible` if it does not start or does not print in time
 */
export function openPrinter({ chromium, profile, isRoot, signal, kill }: PrinterOptions): Printer {
  // Chromium sets the `oom_score_adj` of its processes itself: 300 for pages, which have the memory.
  const child = spawn(chromium, [...ARGUMENTS, `--user-data-dir=${profile}`, ...(isRoot ? ['--no-sandbox'] : [])], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: true, // Puts the browser and its child processes into a process group.
    killSignal: 'SIGKILL',
    timeout: MAX_MS,
    signal,
  })
  const ended = failureOf(child, signal, chromium)
  const devtools = openDevtools(child)
  return {
    print: (url, sheet) => Promise.race([printPdf(devtools, url, sheet), ended]),
    close: async () => {
      await endBrowser(child, kill)
      const socket = await readlink(join(profile, 'SingletonSocket')).catch(() => undefined)
      if (socket !== undefined) await rm(dirname(socket), { recursive: true, force: true })
    },
  }
}

/** Rejects once the browser does not start or ends. */
function failureOf(child: ChildProcess, signal: AbortSignal, chromium: string): Promise<never> {
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
  return ended
}

async function endBrowser(child: ChildProcess, kill: PrinterOptions['kill']): Promise<void> {
  const { pid } = child
  const isRunning = pid !== undefined && child.exitCode === null && child.signalCode === null
  // Not `once` from `node:events`: an abort would reject it before the browser ends.
  const gone = isRunning && new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  // A remaining process of the browser would create its folder in the profile again.
  attempt(() => pid !== undefined && kill?.(-pid, 'SIGKILL')) // All of them may have ended.
  await gone
}

/** A book that takes longer probably never finishes. */
const MAX_MS = 10 * 60_000

/** No window, no network, no user data: the resolver finds no host. */
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
  /** Resolves at the next event with this name. */
  nextEvent: (method: string) => Promise<void>
}

/** Opens the DevTools protocol on the pipes 3 and 4 of a browser. Messages are JSON, each followed by NUL. */
function openDevtools({ stdio: [, , , input, output] }: ChildProcess): Devtools {
  const waiting = new Map<number, { resolve: (value: Values) => void; reject: (error: Error) => void }>()
  const listening = new Map<string, () => void>()
  if (!(input instanceof Duplex && output instanceof Duplex)) throw new Error('the browser has no pipes')
  input.on('error', () => undefined)
  readMessages(output, ({ id, method, result, error }) => {
    if (method !== undefined) listening.get(method)?.()
    const command = id === undefined ? undefined : waiting.get(id)
    if (error) command?.reject(new Error(`the browser refuses: ${error.message}`))
    else command?.resolve(result ?? {})
  })
  let lastId = 0
  return {
    send: (method, params = {}, sessionId) => {
      lastId++
      const id = lastId
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
    nextEvent: method => new Promise(resolve => listening.set(method, resolve)),
  }
}

/** An event with its name, or the reply to a command with this id. */
type Message = { id?: number; method?: string; result?: Values; error?: { message: string } }

/** Calls with each message of the browser. */
function readMessages(output: Duplex, receive: (message: Message) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  output.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      receive(JSON.parse(rest.subarray(0, end).toString()))
      rest = rest.subarray(end + 1)
    }
  })
}

/** Opens a page in the size of a sheet, runs `FIT` in it, and reads its PDF in pieces of 1 MiB. */
async function printPdf({ send, nextEvent }: Devtools, url: string, sheet: SheetSize): Promise<PrintedPdf> {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  if (typeof sessionId !== 'string') throw new Error('the browser opens no page')
  await send('Page.enable', {}, sessionId)
  await send('Emulation.setEmulatedMedia', { media: 'print' }, sessionId)
  const [width, height] = [sheet.width, sheet.height].map(mm => Math.floor((mm * 96) / 25.4))
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }, sessionId)
  const loaded = nextEvent('Page.loadEventFired')
  await send('Page.navigate', { url }, sessionId)
  await loaded
  const script = { expression: FIT, awaitPromise: true, returnByValue: true }
  const { result } = await send('Runtime.evaluate', script, sessionId)
  const cut = result instanceof Object && 'value' in result ? result.value : undefined
  const { stream } = await send('Page.printToPDF', PDF_OPTIONS, sessionId)
  const pieces: Buffer[] = []
  for (;;) {
    const { data, eof } = await send('IO.read', { handle: stream, size: 1 << 20 }, sessionId)
    pieces.push(Buffer.from(String(data), 'base64'))
    if (eof === true) break
  }
  await send('Target.closeTarget', { targetId })
  return { bytes: Buffer.concat(pieces), cut: Array.isArray(cut) ? cut.map(String) : [] }
}

/** Chromium Page.printToPDF. The style sheet sets the size of the page, and prints page numbers. */
const PDF_OPTIONS = {
  printBackground: true,
  preferCSSPageSize: true,
  generateTaggedPDF: true,
  generateDocumentOutline: true,
  transferMode: 'ReturnAsStream',
}
