import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { PATIENCE_MS } from './patience.ts'
import { needs, pathOf } from './programs.ts'

/** What tests in a browser need. */
export const CHROMIUM = needs('chromium')

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

/** Loads axe with this and each later page. */
export async function addAxe(page: Page): Promise<void> {
  const script = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  await page.addInitScript(script)
  await page.evaluate(script)
}

/** The problems that axe finds on a page, by all of its rules or only some. */
export function axeProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  const only = rules ? `runOnly: ${JSON.stringify(rules)},` : ''
  return page.evaluate(`axe.run(document, { ${only} resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`)
}

/** The rules whose result depends on the colour scheme. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Records the layout shifts of a page while it loads. */
export type LayoutShifts = {
  /** Asserts that the shifts of the current document are small; the message names the elements that moved. */
  assertSmall: (path: string, max?: number) => Promise<void>
}

/**
 * The maximum sum of all shifts in a document. Web Vitals call a Cumulative Layout Shift of 0.1 good
 * (https://web.dev/articles/cls). A busy browser paints an incomplete page, which moves a header by about 0.001, and a
 * specimen with a late font by about 0.02. A picture without a size moves the content below it by more than 0.1.
 */
const MAX_SHIFT = 0.05

/** Starts recording before the page loads. Shifts inside the controls of a player have no element, and do not count. */
export async function watchShifts(page: Page): Promise<LayoutShifts> {
  await page.addInitScript(
    'globalThis.shifts = []; new PerformanceObserver(list => { for (const { value, sources } of list.getEntries()) { const nodes = sources.flatMap(({ node }) => node?.outerHTML ?? node?.data ?? []); if (nodes.length > 0) shifts.push({ value, nodes }) } }).observe({ type: "layout-shift", buffered: true })',
  )
  return {
    assertSmall: async (path, max = MAX_SHIFT) => {
      const shifts = await page.evaluate<{ value: number; nodes: string[] }[]>('shifts')
      const total = shifts.reduce((sum, { value }) => sum + value, 0)
      const moved = shifts.flatMap(({ nodes }) => nodes.map(node => node.slice(0, 200)))
      assert.ok(total < max, `${path} moves by ${total}: ${moved.join(' | ')}`)
    },
  }
}
