import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { pathOf } from '../test/support/programs.ts'
import { median } from './quantile.ts'
import type { Figure } from './run.ts'

const ROUNDS = 15
const root = dirname(import.meta.dirname)

/** How long it takes from a save until `dev` serves and an open page shows what was saved, in the example and in a folder of a thousand pages. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const acme = join(folder, 'acme')
    cpSync(join(root, 'examples/acme'), acme, { recursive: true })
    const large = join(folder, 'large')
    mkdirSync(join(large, 'guide/pages'), { recursive: true })
    for (let page = 0; page < 1000; page++)
      writeFileSync(
        join(large, `guide/pages/${page}.md`),
        `# ${page}\n\n${`See [next](${page + 1}.md). `.repeat(40)}\n`,
      )
    const example = await saved(acme, 'guidelines', 'color')
    const thousand = await saved(large, 'guide', '500')
    return [
      figure('from a save until it is served, the example', example.served),
      figure('from a save until an open page shows it, the example', example.shown),
      figure('from a save until it is served, a thousand pages', thousand.served),
      figure('from a save until an open page shows it, a thousand pages', thousand.shown),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function figure(name: string, times: readonly number[]): Figure {
  return { name, value: median(times), unit: 'ms', wanted: { atMost: 300 } }
}

/** Milliseconds of `ROUNDS` saves of a page; the first ones warm up and are not counted. */
async function saved(folder: string, project: string, page: string): Promise<{ served: number[]; shown: number[] }> {
  const child = spawn(process.execPath, [join(root, 'bin/housestyle.js'), 'dev', folder, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  const browser = await chromium.launch({ executablePath: pathOf('chromium') ?? '', args: ['--no-sandbox'] })
  try {
    const { baseUrl, token } = await addressOf(child.stdout)
    const url = `${baseUrl}/workspace/${token.workspace}/project/${project}/page/${page}`
    const open = await browser.newPage()
    await open.goto(new URL(`/${token.workspace}/${project}/${page}`, baseUrl).href)
    const [servedTimes, shownTimes]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS + 3; round++) {
      const replaced = open.evaluate(REPLACED)
      await sleep(300)
      const text = `# Saved ${round}\n`
      const began = Date.now()
      writeFileSync(join(folder, project, `pages/${page}.md`), text)
      while (!(await served(url, token.token)).includes(`Saved ${round}`)) await sleep(5)
      const isServed = Date.now()
      const isShown = Number(await replaced)
      if (round < 3) continue
      servedTimes.push(isServed - began)
      shownTimes.push(isShown - began)
    }
    return { served: servedTimes, shown: shownTimes }
  } finally {
    await browser.close()
    child.kill()
    await exit
  }
}

/** The moment when a page has changed in place. */
const REPLACED =
  'new Promise(resolve => document.addEventListener("housestyle:replaced", () => resolve(Date.now()), { once: true }))'

async function addressOf(out: NodeJS.ReadableStream) {
  let baseUrl = ''
  for await (const line of createInterface({ input: out })) {
    const event = JSON.parse(line)
    if (event.event === 'listening') baseUrl = event.base_url
    if (event.event === 'token') return { baseUrl, token: event }
  }
  throw new Error('housestyle dev has ended')
}

async function served(url: string, token: string): Promise<string> {
  const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return reply.text()
}
