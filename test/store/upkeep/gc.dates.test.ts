import assert from 'node:assert/strict'
import test from 'node:test'
import { gc } from '#store/upkeep/gc.ts'
import { resultOf, type TemporaryStore, temporaryStore } from '../../support/temporary-store.ts'
import { UPKEEP } from './options.ts'

const DAY = 24 * 3600 * 1000
const START = Date.UTC(2025, 0, 1)
const at = (day: number) => new Date(START + day * DAY)

/** A project whose revisions were published on these days, in this order. */
async function publishOn(days: readonly number[]): Promise<TemporaryStore> {
  const here = await temporaryStore()
  for (const [index, day] of days.entries()) {
    await here.publishing('acme/guide', { 'guide/pages/a.md': `# ${index + 1}\n` }, at(day))
  }
  return here
}

/** The last revision is published and always kept. The clock shows `now` when gc keeps the last 30 days. */
const CASES: Readonly<Record<string, { days: number[]; now: number; freed: number[] }>> = {
  'the clock is right': { days: [0, 50, 80, 99, 100], now: 101, freed: [2, 1] },
  'the clock has jumped a year ahead': { days: [0, 50, 80, 99, 100], now: 466, freed: [2, 1] },
  'the clock was set back': { days: [0, 50, 80, 99, 100], now: 60, freed: [1] },
  'the clock was set back before every date': { days: [0, 50, 80], now: -1000, freed: [] },
  'a clock was years ahead at one publication': {
    days: [0, 50, 2000, 51, 52, 99, 100],
    now: 101,
    freed: [5, 4, 3, 2, 1],
  },
  'a clock was years ahead at the last publications': { days: [0, 99, 2000, 2001], now: 101, freed: [1] },
  'a clock was years behind at one publication': { days: [0, 50, -9000, 99, 100], now: 101, freed: [2, 1] },
  'a clock was years behind at the last publications': { days: [0, 50, 99, -9000, -9000], now: 101, freed: [2, 1] },
  'a clock was ahead, and that time has passed since': { days: [0, 200, 51, 52, 250, 251], now: 252, freed: [2, 1] },
}

for (const [how, { days, now, freed }] of Object.entries(CASES))
  test(`gc --keep 30d frees only revisions that are certainly older if ${how}`, async () => {
    const here = await publishOn(days)
    await gc(here.store, { ...UPKEEP, keep: { seconds: (30 * DAY) / 1000 }, isDryRun: false, now: () => at(now) })
    const history = await resultOf(here.folder, ['history', 'acme/guide'])
    const found = history.filter(({ freedAt }: { freedAt?: string }) => freedAt)
    const revisions = found.map(({ revision }: { revision: number }) => revision)
    assert.deepEqual(revisions, freed)
  })
