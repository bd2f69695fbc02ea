import { createHash } from 'node:crypto'
import type { Hash } from '../../brand/ids.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { type Files, type FileVersion, SMALL_FILE } from '../../store/files/files.ts'
import { contentName, DamagedContent } from '../../store/store-error.ts'
import type { DamageMonitor } from '../health/damage-monitor.ts'

/** The part of a damage monitor that records results. */
export type DamageReport = Pick<DamageMonitor, 'found' | 'sound'>

/** Files on this machine's disk, whose versions can be distinguished. */
export type DiskFiles = Files & Required<Pick<Files, 'version'>>

/** Whether a version of a file has the right bytes. */
type Verdict = { isSound: boolean }

/** The result of a check, with the bytes of a small file. */
type Outcome = Verdict & { bytes?: Uint8Array }

/** A version of a file, and the key of its verdict. */
export type Version = FileVersion & { workspace: string; hash: Hash; key: string }

/** Keeps a verdict on each version of a file. Concurrent callers for the same version share one check. */
export function openVerdicts(files: DiskFiles, caches: Caches, report: DamageReport) {
  const verdicts = caches.open<Verdict>('verdicts')
  const underWay = new Map<string, Promise<Outcome>>()
  const ending = new AbortController()
  const versionOf = async (workspace: string, hash: Hash): Promise<Version | undefined> => {
    const version = await files.version(workspace, hash)
    return version && { ...version, workspace, hash, key: `${workspace}/${hash}\n${version.id}` }
  }
  const damageOf = ({ workspace, hash }: Version) =>
    new DamagedContent({ kind: 'file', path: files.pathOf(workspace, hash) })
  /** Records the result of a check, unless the file has changed since. */
  const record = async (version: Version, outcome: Outcome): Promise<Outcome> => {
    const { workspace, hash, key, id } = version
    if ((await files.version(workspace, hash))?.id !== id) return outcome
    const verdict = { isSound: outcome.isSound }
    verdicts.set(key, verdict, memoryOf(verdict))
    const damage = damageOf(version)
    if (outcome.isSound) report.sound(contentName(damage.place))
    else report.found(damage, () => isRepaired(version))
    return outcome
  }
  const verify = async (version: Version): Promise<Outcome> => {
    const known = verdicts.get(version.key) ?? underWay.get(version.key)
    if (known) return known
    const checking = hashFile(files, version, ending.signal).then(outcome => record(version, outcome))
    underWay.set(version.key, checking)
    return checking.finally(() => underWay.delete(version.key))
  }
  const isRepaired = async ({ workspace, hash }: Version) => {
    const version = await versionOf(workspace, hash)
    return !version || (await verify(version)).isSound
  }
  const knownVerdict = ({ key }: Version) => verdicts.peek(key)
  return { versionOf, knownVerdict, verify, record, damageOf, stop: () => ending.abort() }
}

/** Compares a file with its hash. Each chunk is a step, because the next one comes from the disk. */
async function hashFile(files: Files, { workspace, hash, size }: Version, signal: AbortSignal): Promise<Outcome> {
  const digest = createHash('sha256')
  const kept: Uint8Array[] = []
  for await (const chunk of (await files.open(workspace, hash)) ?? []) {
    signal.throwIfAborted()
    digest.update(chunk)
    if (size <= SMALL_FILE) kept.push(chunk.slice())
  }
  const isSound = digest.digest('hex') === hash
  return { isSound, ...(isSound && size <= SMALL_FILE && { bytes: Buffer.concat(kept) }) }
}
