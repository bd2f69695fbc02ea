import { createHash } from 'node:crypto'
import type { Hash } from '#brand/ids.ts'
import { serial } from '#platform/base/promise.ts'
import type { Caches } from '#platform/caches/caches.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import { type Files, type FileVersion, type Part, SMALL_FILE, single, startChunks } from '#store/files/files.ts'
import { contentName, DamagedContent, damageIn } from '#store/store-error.ts'
import type { DamageReport } from '../health/damage-monitor.ts'

/**
 * Files whose bytes are compared with their hash (decisions/0465). `open` throws `DamagedContent`, and so do the chunks
 * of a file that turns out to be damaged while it is read: the last chunk comes only if the hash is right.
 */
export type VerifiedFiles = Files & {
  /**
   * Checks a file without reading it for a client. A file of more than 64 MiB is checked in the background, and a file in
   * a bucket only when it is read.
   *
   * @throws {DamagedContent} if the file is damaged
   */
  assertSound: (workspace: string, hash: Hash) => Promise<void>
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

/**
 * Verifies files on this machine's disk, each version once. A file of up to 64 MiB is checked before its first byte is
 * sent, and a larger one while it is read whole. A part of a larger file is sent at once, while the file is checked in the
 * background.
 */
function verifyOnDisk(files: DiskFiles, caches: Caches, report: DamageReport) {
  const { versionOf, knownVerdict, verify, record, assertNoDamage, stop } = openVerdicts(files, caches, report)
  const verifyInBackground = openBackgroundChecks(verify)
  const open: Files['open'] = async (workspace, hash, part, signal) => {
    const version = await versionOf(workspace, hash)
    if (!version) return files.open(workspace, hash, part, signal)
    const isCheckedFirst = !isLarge(version) || knownVerdict(version)
    return isCheckedFirst ? openChecked(version, part, signal) : openUnchecked(version, part, signal)
  }
  /** Opens a file after its check, which may have been made earlier. Then a small file may be in memory. */
  const openChecked = async (version: Version, part: Part | undefined, signal: AbortSignal | undefined) => {
    const outcome = await verify(version)
    assertNoDamage(version, outcome)
    const { bytes } = outcome
    if (bytes) return single(part ? bytes.subarray(part.start, part.end + 1) : bytes)
    return files.open(version.workspace, version.hash, part, signal)
  }
  /** Opens a large file at once. It is checked while it is sent, or for a part in the background. */
  const openUnchecked = async (version: Version, part: Part | undefined, signal: AbortSignal | undefined) => {
    const chunks = await files.open(version.workspace, version.hash, part, signal)
    if (!chunks) return undefined
    const checkedChunks = () => untilDamageIsFound(chunks, () => assertNoDamage(version, knownVerdict(version)))
    if (!isWhole(part, version)) {
      // A part cannot be compared with the hash.
      verifyInBackground(version)
      return startChunks(chunks, checkedChunks)
    }
    const recordResult = async (isSound: boolean) => assertNoDamage(version, await record(version, { isSound }))
    return startChunks(chunks, () => verifyWhileReading(checkedChunks(), version, recordResult))
  }
  const assertSound = async (workspace: string, hash: Hash): Promise<void> => {
    const version = await versionOf(workspace, hash)
    if (!version) return
    if (isLarge(version) && !knownVerdict(version)) verifyInBackground(version)
    else assertNoDamage(version, await verify(version))
  }
  return { ...files, open, assertSound, stop }
}

/** Files of up to this size are checked first, in steps that take 50 to 200 ms in total. */
const CHECKED_FIRST_BYTES = 64 << 20

function isLarge({ size }: Version): boolean {
  return size > CHECKED_FIRST_BYTES
}

function isWhole(part: Part | undefined, { size }: Version): boolean {
  return !part || (part.start === 0 && part.end >= size - 1)
}

/** Checks large files one after the other, each once. */
function openBackgroundChecks(verify: (version: Version) => Promise<unknown>): (version: Version) => void {
  const inTurn = serial()
  const waiting = new Set<string>()
  return version => {
    if (waiting.has(version.key) || waiting.size >= MAX_WAITING) return
    waiting.add(version.key)
    void inTurn(() => verify(version))
      .catch(() => undefined) // A request that reads the file reports the error of the disk.
      .finally(() => waiting.delete(version.key))
  }
}

/** Large files beyond this limit are checked after a later request. */
const MAX_WAITING = 100

/** Chunks until another check of the same file finds damage. */
async function* untilDamageIsFound(
  chunks: AsyncIterable<Uint8Array>,
  assertNoDamageFound: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    assertNoDamageFound()
    yield chunk
  }
}

/** Holds back the last chunk until `recordResult` accepts the hash of the whole file. */
async function* verifyWhileReading(
  chunks: AsyncIterable<Uint8Array>,
  { hash, size }: Version,
  recordResult: (isSound: boolean) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  let bytesRead = 0
  for await (const chunk of chunks) {
    digest.update(chunk)
    bytesRead += chunk.length
    if (bytesRead >= size) await recordResult(digest.digest('hex') === hash)
    yield chunk
    if (bytesRead >= size) return
  }
  await recordResult(false)
}

/** Files on this machine's disk, whose versions can be distinguished. */
type DiskFiles = Files & { version: NonNullable<Files['version']> }

type Verdict = { isSound: boolean }

/** The verdict of a check, with the bytes of a small sound file. */
type Outcome = Verdict & { bytes?: Uint8Array }

/** A version of a file on the disk; `key` names the file and the version. */
type Version = FileVersion & { workspace: string; hash: Hash; key: string }

/** Keeps a verdict on each version of a file. Concurrent callers for the same version share one check. */
function openVerdicts(files: DiskFiles, caches: Caches, report: DamageReport) {
  const verdicts = caches.open<Verdict>('verdicts')
  const underWay = new Map<string, Promise<Outcome>>()
  const ending = new AbortController()
  const versionOf = async (workspace: string, hash: Hash): Promise<Version | undefined> => {
    const version = await files.version(workspace, hash)
    return version && { ...version, workspace, hash, key: `${workspace}/${hash}\n${version.id}` }
  }
  const placeOf = ({ workspace, hash }: Version) => ({ kind: 'file', path: files.pathOf(workspace, hash) }) as const
  const damageOf = (version: Version) => new DamagedContent(placeOf(version))
  const assertNoDamage = (version: Version, verdict: Verdict | undefined) => {
    if (verdict?.isSound === false) throw damageOf(version)
  }
  /** Records the result of a check, unless the file has changed since. */
  const record = async (version: Version, outcome: Outcome): Promise<Outcome> => {
    const { workspace, hash, key, id } = version
    if ((await files.version(workspace, hash))?.id !== id) return outcome
    const verdict = { isSound: outcome.isSound }
    verdicts.set(key, verdict, memoryOf(verdict))
    if (outcome.isSound) report.sound(contentName(placeOf(version)))
    else report.found(damageOf(version), () => isRepaired(version))
    return outcome
  }
  const verify = async (version: Version): Promise<Outcome> => {
    const outcome = verdicts.get(version.key) ?? underWay.get(version.key)
    if (outcome) return outcome
    const checking = hashFile(files, version, ending.signal).then(outcome => record(version, outcome))
    underWay.set(version.key, checking)
    return checking.finally(() => underWay.delete(version.key))
  }
  const isRepaired = async ({ workspace, hash }: Version) => {
    const version = await versionOf(workspace, hash)
    return !version || (await verify(version)).isSound
  }
  const knownVerdict = ({ key }: Version) => verdicts.peek(key)
  return { versionOf, knownVerdict, verify, record, assertNoDamage, stop: () => ending.abort() }
}

/** Compares a file with its hash. Other work can run between chunks, because each comes from the disk. */
async function hashFile(files: Files, { workspace, hash, size }: Version, signal: AbortSignal): Promise<Outcome> {
  const digest = createHash('sha256')
  const kept: Uint8Array[] = []
  for await (const chunk of (await files.open(workspace, hash)) ?? []) {
    signal.throwIfAborted()
    digest.update(chunk)
    if (size <= SMALL_FILE) kept.push(chunk)
  }
  const isSound = digest.digest('hex') === hash
  return { isSound, ...(isSound && size <= SMALL_FILE && { bytes: Buffer.concat(kept) }) }
}
