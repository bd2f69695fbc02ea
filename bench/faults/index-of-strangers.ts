import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { command, peakMegabytes, serve } from '../../test/support/command.ts'
import { writeLargeBrand } from '../large-brand.ts'
import { quantile } from '../quantile.ts'
import type { Figure } from '../run.ts'

const bin = join(dirname(dirname(import.meta.dirname)), 'bin/housestyle.js')

/** The most that is read of a page. */
const PAGE = 64 << 10

/** How one workspace is answered while indexes are made of what others wrote: a guide of 10,000 pages, and hostile ones. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  const store = ['--data', join(folder, 'data')]
  writeLargeBrand(join(folder, 'large'), { pages: 10_000, pictures: 10 })
  writeHostile(join(folder, 'comments'), 'a', '<!--a')
  writeHostile(join(folder, 'headings'), 'x', '<h1>')
  writeHostile(join(folder, 'spaces'), '# ', ' ', '\u2028')
  writeLargeBrand(join(folder, 'acme'), { pages: 10, pictures: 1 })
  const workspaces = ['acme', 'large', 'comments', 'headings', 'spaces']
  for (const workspace of workspaces) {
    writeFileSync(join(folder, workspace, 'guide/project.yaml'), 'visibility: public\n')
    await command(bin, 'import', join(folder, workspace), ...store)
  }
  await command(bin, 'publish', '--all', ...store)
  const token = (await command(bin, 'token', 'issue', 'acme', ...store)).trim()
  const service = await serve(bin, ...store, '--rate', 'off')
  try {
    const api = () =>
      took(`${service.baseUrl}/workspace/acme/project/guide/pages`, { authorization: `Bearer ${token}` })
    const figures: Figure[] = []
    await api()
    for (const workspace of workspaces.slice(1)) {
      await took(`${service.url}/${workspace}/guide/llms.txt`, {}) // Its list of pages is read.
      const quiet = await many(api, pause(1000))
      const { first, others } = await during(search(`${service.url}/${workspace}/guide/-/search?q=page`), api)
      const beyond = (part: number) => Math.max(0, quantile(others, part) - quantile(quiet, part))
      figures.push(
        { name: `${workspace}: the first search`, value: first, unit: 'ms', wanted: { atMost: 10_000 } },
        {
          name: '  another’s API meanwhile, 99 of 100, beyond before',
          value: beyond(0.99),
          unit: 'ms',
          wanted: { atMost: 20 },
        },
        { name: '  the slowest, beyond the slowest before', value: beyond(1), unit: 'ms', wanted: { atMost: 100 } },
      )
    }
    figures.push({
      name: 'highest memory of the service',
      value: peakMegabytes(service.pid),
      unit: 'MB',
      wanted: { atMost: 300 },
    })
    return figures
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true })
  }
}

function writeHostile(folder: string, start: string, piece: string, end = ''): void {
  mkdirSync(join(folder, 'guide/pages'), { recursive: true })
  const text = `${start}${piece.repeat((PAGE - start.length - end.length - 2) / piece.length)}${end}`
  for (let at = 0; at < 150; at++) writeFileSync(join(folder, `guide/pages/p${at}.md`), text)
}

/** How long something takes, and what else is asked, one after the other, until it is done. */
async function during(work: () => Promise<number>, other: () => Promise<number>) {
  const first = work()
  return { others: await many(other, first), first: await first }
}

async function many(ask: () => Promise<number>, until: Promise<unknown>): Promise<number[]> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  void until.then(end, end)
  const times: number[] = []
  while (!isDone) times.push(await ask())
  return times
}

function search(address: string): () => Promise<number> {
  return () => took(address, { accept: 'application/json' })
}

async function took(address: string, headers: Record<string, string>): Promise<number> {
  const began = performance.now()
  const reply = await fetch(address, { headers })
  if (reply.status !== 200) throw new Error(`${address} answers ${reply.status}: ${await reply.text()}`)
  await reply.text()
  return performance.now() - began
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
