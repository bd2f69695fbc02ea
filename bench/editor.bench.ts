import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { freePort } from '../test/support/free-port.ts'
import { pathOf } from '../test/support/programs.ts'
import { type Bench, type Figure, median } from './support/bench.ts'

const KEYS = 200
const SIZES = { '10 kB': 10_000, '250 kB': 250_000, '1 MB': 1_000_000 }
/** 3 Mbit/s, as on a phone. */
const SLOW = { offline: false, latency: 40, downloadThroughput: 375_000, uploadThroughput: 375_000 }

/** The time that a key takes in the editor's text, and that of the first key on a slow connection. */
export async function* measure({ bin, folder, started }: Bench): AsyncGenerator<Figure> {
  const pages = join(folder, 'brand/guide/pages')
  mkdirSync(pages, { recursive: true })
  writeFileSync(join(folder, 'brand/workspace.yaml'), 'name: Acme\nid: acme\n')
  writeFileSync(join(folder, 'brand/guide/project.yaml'), 'name: Guide\n')
  writeFileSync(join(pages, 'index.md'), '# Hello\n')
  for (const [name, size] of Object.entries(SIZES)) writeFileSync(join(pages, `${idOf(name)}.md`), textOf(size))
  const port = await freePort()
  const service = spawn(process.execPath, [bin, 'dev', join(folder, 'brand'), '--port', `${port}`], { stdio: 'ignore' })
  started.defer(() => void service.kill())
  const guide = `http://127.0.0.1:${port}/acme/guide`
  const program = pathOf('chromium-headless-shell') ?? pathOf('chromium') ?? ''
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
  started.defer(() => browser.close())
  while (!(await isReady(`${guide}/-/edit/index`))) await sleep(100)
  for (const name of Object.keys(SIZES)) {
    const times = (await keyTimes(browser, `${guide}/-/edit/${idOf(name)}`)).toSorted((a, b) => a - b)
    const slow = times[Math.floor(times.length * 0.95)] ?? Number.NaN
    yield {
      name: `processor time of a key in a page of ${name}`,
      value: median(times),
      unit: 'ms',
      bound: { atMost: 16 },
      note: `95 % at most ${slow.toFixed(2)} ms`,
    }
  }
  yield {
    name: 'first key after Edit this page, at 3 Mbit/s',
    value: await firstKey(browser, guide),
    unit: 'ms',
    bound: { atMost: 2_000 },
  }
}

function idOf(name: string): string {
  return `size-${parseInt(name, 10)}`
}

/** Sections with paragraphs, lists and tables. */
function textOf(size: number): string {
  const words = 'Say it in **plain** words, as in [our rules](index.md), without *jargon* or `code`. '.repeat(4)
  const section = `\n## A heading\n\n${words}\n\n- one\n- two\n\n| Say | Not |\n|---|---|\n| use | **utilise** |\n`
  return `# Size\n${section.repeat(Math.floor(size / section.length))}`
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

/** Types in the middle of a text, with the pace of a quick person. */
async function keyTimes(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage()
  await page.goto(url, { waitUntil: 'domcontentloaded' })
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }
  await middle(page)
  const times: number[] = []
  while (times.length < KEYS) {
    const before = await spent()
    await page.keyboard.press(times.length % 6 === 5 ? 'Space' : 'e')
    await page.evaluate('new Promise(done => requestAnimationFrame(() => setTimeout(done)))')
    times.push((await spent()) - before)
  }
  await page.close({ runBeforeUnload: false })
  return times
}

async function middle(page: Page): Promise<void> {
  await page.locator('.cm-content').waitFor()
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)')
  await sleep(2_000)
  await page.mouse.click(300, 400)
  await sleep(1_000)
}

/** The time from *Edit this page* until a key is in the text, with nothing of the editor in the cache. */
async function firstKey(browser: Browser, guide: string): Promise<number> {
  const page = await browser.newPage()
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.emulateNetworkConditions', SLOW)
  await page.goto(guide)
  const began = performance.now()
  await page.getByRole('link', { name: 'Edit this page' }).click()
  await page.locator('.cm-content').click()
  await page.keyboard.press('x')
  await page.waitForFunction('document.querySelector(".cm-content").textContent.includes("x")')
  const elapsed = performance.now() - began
  await page.close({ runBeforeUnload: false })
  return elapsed
}
