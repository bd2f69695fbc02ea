import { after } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { PATIENCE_MS } from './patience.ts'
import { pathOf } from './programs.ts'

/** A page in a real browser, and a record of its problems and requests. */
export type WatchedPage = {
  page: Page
  /** Dialogs, console messages, uncaught errors, violations of the Content-Security-Policy. */
  complaints: string[]
  /** The addresses of all requests. */
  requests: string[]
}

/** Debian's browser without windows takes half the processor time of the full one, which it falls back to. */
const PROGRAM = pathOf('chromium-headless-shell') ?? pathOf('chromium') ?? ''
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
/** What Chromium reports if a page is slow or left early: it shows the next page without a transition. */
const SKIPPED_TRANSITION = /^Transition was (?:aborted|skipped)/
let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

/** Opens a page in Debian's Chromium, which starts once for the tests of a file and ends with them. */
export async function openPage(options: BrowserContextOptions = {}): Promise<WatchedPage> {
  browser ??= chromium.launch({ executablePath: PROGRAM, args: ARGUMENTS })
  const context = await (await browser).newContext(options)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const [complaints, requests]: [string[], string[]] = [[], []]
  page.on('dialog', dialog => {
    complaints.push(`dialog: ${dialog.message()}`)
    return dialog.dismiss()
  })
  page.on('console', message => complaints.push(`console: ${message.text()}`))
  page.on('pageerror', ({ message }) => {
    if (!SKIPPED_TRANSITION.test(message)) complaints.push(`error: ${message}`)
  })
  page.on('request', request => requests.push(request.url()))
  return { page, complaints, requests }
}
