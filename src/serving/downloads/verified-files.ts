import type { Hash } from '../../brand/ids.ts'
import type { Caches } from '../../caches/caches.ts'
import type { Files } from '../../store/files/files.ts'
import { startChunks } from '../../store/files/start-chunks.ts'
import { damageIn } from '../../store/store-error.ts'
import type { DamageReport } from '../health/damage-monitor.ts'
import { verifyOnDisk } from './verified-disk-files.ts'

/**
 * Files whose bytes are compared with their hash. `open` throws `DamagedContent`, and so do the chunks of a file that turns
 * out to be damaged while it is read: the last chunk comes only if the hash is right.
 */
export type VerifiedFiles = Files & {
  /**
   * Checks a file without reading it for a client. A file of more than 64 MiB is checked in the background, and a file in
   * a bucket only when it is read.
   *
   * @throws {DamagedContent} if the file is damaged
   */
  assertSound: (workspace: string, hash: Hash) => Promise<void>
  /** Ends checks in the background. */
  stop: () => void
}

/** Verifies files, and reports damage. A command needs no report, since damage ends it. */
export function verifiedFiles(files: Files, caches: Caches, report: DamageReport = NO_REPORT): VerifiedFiles {
  const { version } = files
  return version ? verifyOnDisk({ ...files, version }, caches, report) : reportFromBucket(files, report)
}

const NO_REPORT: DamageReport = { found: () => undefined, sound: () => undefined }

/** Reports the results of reads from a bucket, whose reader verifies all bytes itself. */
function reportFromBucket(files: Files, report: DamageReport): VerifiedFiles {
  const open: Files['open'] = async (workspace, hash, part, signal) => {
    const reportDamage = (error: unknown): never => {
      const damage = damageIn(error)
      if (damage && !damage.isMissing) report.found(damage, () => canRead(files, workspace, hash, part))
      throw error
    }
    const chunks = await files.open(workspace, hash, part, signal).catch(reportDamage)
    if (!chunks) return undefined
    return startChunks(chunks, async function* () {
      try {
        yield* chunks
        if (!part) report.sound(files.pathOf(workspace, hash))
      } catch (error) {
        reportDamage(error)
      }
    })
  }
  return { ...files, open, assertSound: async () => undefined, stop: () => undefined }
}

async function canRead(files: Files, ...args: Parameters<Files['open']>): Promise<boolean> {
  for await (const _ of (await files.open(...args)) ?? []);
  return true
}
