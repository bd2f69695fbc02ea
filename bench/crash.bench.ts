import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crash } from '../test/support/crash.ts'
import { killerByTime } from '../test/support/killer.ts'
import type { Figure } from './run.ts'

const KILLS = 300

/** Kills many commands, each at a random moment of it; throws where a store is not whole after one. */
export async function measure(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
  try {
    const options = ['--data', join(folder, 'data')]
    const { killed } = await crash(folder, { options, kill: killerByTime(options) }, KILLS, Date.now())
    return [
      { name: 'kills, each of which left a whole store', value: killed, unit: 'count', wanted: { atLeast: KILLS } },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}
