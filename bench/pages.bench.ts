import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '../test/support/command.ts'
import { cpuSeconds } from './api/processes.ts'
import { writeLargeBrand } from './large-brand.ts'
import { unpackPackage } from './package.ts'
import type { Figure } from './run.ts'

const PAGES = 1000
const WARM = 50
const VIEWS = 300

/** What a view of the website costs the built package in a project of 1,000 pages of 2 KB, in time of the processor. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const brand = join(folder, 'brand')
    writeLargeBrand(brand, { pages: PAGES, pictures: 200 })
    writeFileSync(join(brand, 'guide/project.yaml'), 'visibility: public\n')
    const service = await serve(unpackPackage(folder), brand, '--data', join(folder, 'data'))
    try {
      const view = async (from: number, count: number) => {
        const before = cpuSeconds(service.pid)
        for (let at = from; at < from + count; at++) await read(`${service.url}/brand/guide/s${at % 100}/p${at}`)
        return (1000 * (cpuSeconds(service.pid) - before)) / count
      }
      await view(0, WARM)
      return [
        { name: 'first view of a page', value: await view(WARM, VIEWS), unit: 'ms', wanted: { atMost: 30 } },
        { name: 'every further view of it', value: await view(WARM, VIEWS), unit: 'ms', wanted: { atMost: 3 } },
      ]
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function read(address: string): Promise<void> {
  const reply = await fetch(address, { headers: { 'accept-encoding': 'br', accept: 'text/html' } })
  if (reply.status !== 200) throw new Error(`${address} answers ${reply.status}`)
  await reply.arrayBuffer()
}
