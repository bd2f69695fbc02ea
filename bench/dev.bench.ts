import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from './run.ts'

const ROUNDS = 15
const root = dirname(import.meta.dirname)

/** How long it takes from a save until `dev` serves what was saved, in the example and in a folder of a thousand pages. */
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
    return [
      {
        ...(await saved(acme, 'guidelines', 'color')),
        name: 'from a save until it is served, the example',
        unit: 'ms',
        wanted: { atMost: 300 },
      },
      {
        ...(await saved(large, 'guide', '500')),
        name: 'the same, a thousand pages',
        unit: 'ms',
        wanted: { atMost: 1500 },
      },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The median over `ROUNDS` saves of a page; the first ones warm up and are not counted. */
async function saved(folder: string, project: string, page: string): Promise<{ value: number }> {
  const child = spawn(process.execPath, [join(root, 'bin/housestyle.js'), 'dev', folder, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  try {
    const { baseUrl, token } = await addressOf(child.stdout)
    const url = `${baseUrl}/workspace/${token.workspace}/project/${project}/page/${page}`
    const times: number[] = []
    for (let round = 0; round < ROUNDS + 3; round++) {
      await sleep(300)
      const text = `# Saved ${round}\n`
      const began = performance.now()
      writeFileSync(join(folder, project, `pages/${page}.md`), text)
      while (!(await served(url, token.token)).includes(`Saved ${round}`)) await sleep(5)
      if (round >= 3) times.push(performance.now() - began)
    }
    return { value: times.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN }
  } finally {
    child.kill()
    await exit
  }
}

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
