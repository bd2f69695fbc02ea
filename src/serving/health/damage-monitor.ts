import { joinRuns } from '#platform/base/promise.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { contentName, type DamagedContent } from '#store/store-error.ts'

export type DamageReport = {
  /** Records damage. `isRepaired` resolves to true once the content is sound or no longer exists. */
  found: (damage: DamagedContent, isRepaired: () => Promise<boolean>) => void
  sound: (name: string) => void
}

export type DamageMonitor = DamageReport & {
  /** The number of damaged files, and of damaged objects in the database. */
  counts: () => DamageCounts
  /** How often damage was found since the start. Content that is damaged again after a repair counts again. */
  totals: () => DamageCounts
  stop: () => void
}

export type DamageCounts = { files: number; database: number }

/** Damaged content, and when to examine it again: `ticks` ticks of the timer after the last time, of which `ticksLeft` remain. */
type Damage = { part: keyof DamageCounts; isRepaired: () => Promise<boolean>; ticksLeft: number; ticks: number }

/** Logs damaged content once, and examines it again until it is repaired or removed. `checkMs` is the time of a tick. */
export function monitorDamage(log: Log, checkMs: number = CHECK_MS): DamageMonitor {
  const damages = new Map<string, Damage>()
  const totals = { files: 0, database: 0 }
  const sound = (name: string) => {
    if (damages.delete(name)) log.info({ content: name }, 'damaged content was repaired or removed')
  }
  const recheck = joinRuns(async () => {
    for (const [name, damage] of damages) {
      damage.ticksLeft -= 1
      if (damage.ticksLeft > 0) continue
      damage.ticks = Math.min(damage.ticks * 2, MAX_TICKS)
      damage.ticksLeft = damage.ticks
      if (await damage.isRepaired().catch(() => false)) sound(name)
    }
  })
  const timer = setInterval(recheck, checkMs).unref()
  return {
    found: (damage, isRepaired) => {
      const name = contentName(damage.place)
      if (damages.has(name) || damages.size >= MAX_KNOWN) return
      const part = damage.place.kind === 'file' ? 'files' : 'database'
      damages.set(name, { part, isRepaired, ticksLeft: 1, ticks: 1 })
      totals[part]++
      log.error({ err: damage, content: name }, `${DAMAGED}${damage.message}`)
    },
    sound,
    counts: () => ({ files: countOf(damages, 'files'), database: countOf(damages, 'database') }),
    totals: () => totals,
    stop: () => clearInterval(timer),
  }
}

const DAMAGED = 'content of the store is damaged, so requests for it fail: '

/** Damaged content is examined again after 1 second, then after 2, 4 and so on, up to a minute. */
const CHECK_MS = 1000
const MAX_TICKS = 60
/** Further damage is not recorded until some is repaired. */
const MAX_KNOWN = 10_000

function countOf(damages: ReadonlyMap<string, Damage>, part: keyof DamageCounts): number {
  return damages.values().reduce((count, damage) => count + (damage.part === part ? 1 : 0), 0)
}
