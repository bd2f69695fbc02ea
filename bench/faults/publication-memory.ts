import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { command, serve } from '../../test/support/command.ts'
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
    const rounds: Memory[] = []
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const word = `changed${round}`
        appendFileSync(join(brand, 'guide', pagePath(round)), `\nThis page was ${word}.\n`)
        await command(bin, 'import', brand, ...store)
        await command(bin, 'publish', '--all', ...store)
        await untilFound(`${service.url}/acme/guide`, word, pageId(round))
        rounds.push(memory.takeHighest())
      }
    } finally {
      memory.stop()
      await service.stop()
    }
    return figuresOf(rounds)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The highest of all rounds, and how much the last third of them takes beyond the second. */
function figuresOf(rounds: readonly Memory[]): Figure[] {
  const highest = (some: readonly Memory[], what: keyof Memory) => Math.max(...some.map(each => each[what]))
  const [second, last] = [rounds.slice(ROUNDS / 3, (ROUNDS / 3) * 2), rounds.slice((ROUNDS / 3) * 2)]
  return [
    {
      name: `memory of serve and its processes (RSS), ${ROUNDS} × (change a page of ${PAGES}, import, publish, search)`,
      value: highest(rounds, 'resident'),
      unit: 'MB',
      wanted: { atMost: 400 },
    },
    {
      name: '  the same with what they share counted once (PSS)',
      value: highest(rounds, 'proportional'),
      unit: 'MB',
      wanted: { atMost: 300 },
    },
    {
      name: '  the last ten rounds beyond the ten before (RSS)',
      value: highest(last, 'resident') - highest(second, 'resident'),
      unit: 'MB',
      wanted: { atMost: 40 },
    },
  ]
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

/** Searches until the page is found, and reads it: what was published is served within a second, and then indexed. */
async function untilFound(guide: string, word: string, page: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const reply = await fetch(`${guide}/-/search?q=${word}`, { headers: { accept: 'application/json' } })
    const found = await reply.text()
    // A search waits for its index so long and no longer.
    if (reply.status !== 200 && reply.status !== 503) throw new Error(`${guide} answers ${reply.status}: ${found}`)
    if (found.includes(page)) return readPage(`${guide}/${page}`)
    await sleep(100)
  }
  throw new Error(`a search for ${word} does not find ${page}`)
}

async function readPage(address: string): Promise<void> {
  const reply = await fetch(address, { headers: { accept: 'text/html' } })
  if (reply.status !== 200) throw new Error(`${address} answers ${reply.status}: ${await reply.text()}`)
  await reply.text()
}

/**
 * What a process and all below it have in memory, in MiB: the sum of what is resident of each (RSS), and the same with
 * pages that several share counted once (PSS).
 */
type Memory = { resident: number; proportional: number }

/** Looks at the memory of a process and of all below it, and gives the highest since it was last asked. */
function watchMemory(pid: number) {
  const nothing: Memory = { resident: 0, proportional: 0 }
  let highest = nothing
  const timer = setInterval(() => {
    const { resident, proportional } = memoryOf(pid)
    highest = {
      resident: Math.max(highest.resident, resident),
      proportional: Math.max(highest.proportional, proportional),
    }
  }, LOOK_MS)
  const takeHighest = (): Memory => {
    const taken = highest
    highest = nothing
    return taken
  }
  return { takeHighest, stop: () => clearInterval(timer) }
}

const LOOK_MS = 50

/** Nothing of a process that has just ended. */
function memoryOf(pid: number): Memory {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
    const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024
    const own = { resident: megabytes('Rss'), proportional: megabytes('Pss') }
    const children = readdirSync(`/proc/${pid}/task`).flatMap(task =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    )
    return children.map(memoryOf).reduce(
      (sum, child) => ({
        resident: sum.resident + child.resident,
        proportional: sum.proportional + child.proportional,
      }),
      own,
    )
  } catch {
    return { resident: 0, proportional: 0 }
  }
}
