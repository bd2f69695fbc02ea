import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { command, serve } from '../test/support/command.ts'
import { writeLargeBrand } from './large-brand.ts'
import { quantile } from './quantile.ts'
import type { Figure } from './run.ts'

const PAGES = 1000
const TYPED = [
  'margin paper',
  'page 731',
  'voice white logo',
  'space between',
  'grdi ligth',
  'colour tone type size rule',
]
const ROUNDS = 5
const bin = join(dirname(import.meta.dirname), 'bin/housestyle.js')

/** How soon a guide of a thousand pages shows what it finds while it is typed, over HTTP, and what the first search takes. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  const brand = join(folder, 'acme')
  writeLargeBrand(brand, { pages: PAGES, pictures: 10 })
  writeFileSync(join(brand, 'guide/project.yaml'), 'name: Guide\nvisibility: public\n')
  const store = ['--data', join(folder, 'data')]
  await command(bin, 'import', brand, ...store)
  await command(bin, 'publish', '--all', ...store)
  const service = await serve(bin, ...store)
  try {
    const search = (text: string) => took(`${service.url}/acme/guide/-/search?${new URLSearchParams({ q: text })}`)
    const idle = () => took(`${service.url}/healthz`)
    await idle()
    const { first, others } = await firstSearch(search('logo'), idle)
    const [searches, idles]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++)
      for (const text of TYPED)
        for (let end = 1; end <= text.length; end++) {
          searches.push(await search(text.slice(0, end)))
          idles.push(await idle())
        }
    const beyond = (times: number[], part: number) => Math.max(0, quantile(times, part) - quantile(idles, part))
    return [
      { name: 'the first search, which makes the index', value: first, unit: 'ms', wanted: { atMost: 3000 } },
      {
        name: '/healthz meanwhile, 9 of 10, beyond later',
        value: beyond(others, 0.9),
        unit: 'ms',
        wanted: { atMost: 20 },
      },
      {
        name: 'results while typing, half, beyond /healthz',
        value: beyond(searches, 0.5),
        unit: 'ms',
        wanted: { atMost: 10 },
      },
      { name: '99 of 100, beyond that of /healthz', value: beyond(searches, 0.99), unit: 'ms', wanted: { atMost: 50 } },
    ]
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true })
  }
}

/** How long a search takes, and what else is asked, one after the other, until it is done. */
async function firstSearch(search: Promise<number>, other: () => Promise<number>) {
  let isDone = false
  const first = search.finally(() => {
    isDone = true
  })
  const others: number[] = []
  while (!isDone) others.push(await other())
  return { first: await first, others }
}

async function took(address: string): Promise<number> {
  const began = performance.now()
  const reply = await fetch(address, { headers: { accept: 'application/json' } })
  if (reply.status !== 200) throw new Error(`${address} answers ${reply.status}: ${await reply.text()}`)
  await reply.text()
  return performance.now() - began
}
