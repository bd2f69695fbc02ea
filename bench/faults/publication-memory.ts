import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { command, serve } from '../../test/command.ts'
import { unpackPackage } from '../package.ts'
import type { Figure } from '../run.ts'

const PAGES = 10_000
const ROUNDS = 30

/** What the service and its processes hold in memory while a guide is published, read and searched again and again. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const bin = unpackPackage(folder)
    const brand = join(folder, 'acme')
    const store = ['--data', join(folder, 'data')]
    writeGuide(join(brand, 'guide'))
    await command(bin, 'import', brand, ...store)
    await command(bin, 'publish', '--all', ...store)
    const service = await serve(bin, ...store)
    const memory = watchMemory(service.pid)
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const word = `changed${round}`
        appendFileSync(join(brand, 'guide', pagePath(round)), `\nThis page was ${word}.\n`)
        await command(bin, 'import', brand, ...store)
        await command(bin, 'publish', '--all', ...store)
        await untilFound(`${service.url}/acme/guide`, word, pageId(round))
      }
    } finally {
      memory.stop()
      await service.stop()
    }
    return [
      {
        name: `memory of serve and its processes, ${ROUNDS} × (change a page of ${PAGES}, import, publish, search)`,
        ...{ value: memory.highest(), unit: 'MB', wanted: { atMost: 400 } },
      },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Pages of 350 words in four sections, of 20,000 different words, each with ten links. */
function writeGuide(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'project.yaml'), 'name: Guide\nvisibility: public\n')
  for (let at = 0; at < PAGES; at++) {
    const path = join(folder, pagePath(at))
    mkdirSync(dirname(path), { recursive: true })
    const sections = [0, 1, 2, 3].map(section => `## Part ${section}\n\n${words(at * 4 + section)}.\n`)
    const links = Array.from({ length: 10 }, (_, link) => `[Page](/${pageId((at * 3 + link * 17) % PAGES)}.md)`)
    writeFileSync(path, `# Page ${at}\n\n${links.join(' ')}\n\n${sections.join('\n')}`)
  }
}

function pageId(at: number): string {
  return `s${at % 100}/p${at}`
}

function pagePath(at: number): string {
  return `pages/${pageId(at)}.md`
}

/** A text of 85 words, some of which are common and most of which are not. */
function words(seed: number): string {
  const word = (at: number) => ((seed * 7919 + at * at * 104_729) % (at % 3 === 0 ? 200 : 20_000)).toString(36)
  return Array.from({ length: 85 }, (_, at) => `w${word(at)}`).join(' ')
}

/** Searches until the page is found, and reads it: what was published is served within a second. */
async function untilFound(guide: string, word: string, page: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const found = await read(`${guide}/-/search?q=${word}`, 'application/json')
    if (found.includes(page)) {
      await read(`${guide}/${page}`, 'text/html')
      return
    }
    await sleep(100)
  }
  throw new Error(`a search for ${word} does not find ${page}`)
}

async function read(address: string, type: string): Promise<string> {
  const reply = await fetch(address, { headers: { accept: type } })
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(`${address} answers ${reply.status}: ${text}`)
  return text
}

/** Looks at the memory of a process and of all below it: the sum of what is resident of each (RSS), in MiB. */
function watchMemory(pid: number) {
  let highest = 0
  const timer = setInterval(() => {
    highest = Math.max(highest, residentMegabytes(pid))
  }, LOOK_MS)
  return { highest: () => highest, stop: () => clearInterval(timer) }
}

const LOOK_MS = 50

/** Nothing of a process that has just ended. */
function residentMegabytes(pid: number): number {
  try {
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0)
    const children = readdirSync(`/proc/${pid}/task`).flatMap(task =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    )
    return children.reduce((sum, child) => sum + residentMegabytes(child), kilobytes / 1024)
  } catch {
    return 0
  }
}
