import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { command, serve } from '../test/support/command.ts'
import { flood } from '../test/support/flood.ts'
import type { Figure } from './run.ts'

const root = dirname(import.meta.dirname)
const bin = join(root, 'bin/housestyle.js')
const PER_SECOND = 2000

/** What good requests keep of their throughput while 2,000 requests with bad tokens are offered each second. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  const store = ['--data', join(folder, 'store')]
  try {
    await command(bin, 'import', join(root, 'examples/acme'), ...store)
    await command(bin, 'publish', '--all', ...store)
    const token = (await command(bin, 'token', 'issue', 'acme', ...store)).trim()
    const service = await serve(bin, ...store, '--rate', 'off')
    try {
      const place = { port: Number(new URL(service.url).port), path: '/beta/workspace/acme', token }
      await flood({ ...place, perSecond: PER_SECOND, rounds: 1, roundMs: 500 })
      const { calm, flooded, bad } = await flood({ ...place, perSecond: PER_SECOND, rounds: 6, roundMs: 1000 })
      const refused = (bad.byStatus[401] ?? 0) / bad.seconds
      return [
        {
          name: 'throughput of good requests during a flood of bad tokens ÷ without',
          value: flooded / calm,
          unit: 'ratio',
          wanted: { atLeast: 0.5 },
        },
        {
          name: `of ${PER_SECOND} bad tokens offered each second, refused`,
          value: refused / PER_SECOND,
          unit: 'ratio',
          wanted: { atLeast: 0.95 },
        },
      ]
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
