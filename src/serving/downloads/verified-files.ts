import { createHash } from 'node:crypto'
import { serial } from '../../base/promise.ts'
import type { Hash } from '../../brand/ids.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { type Files, type FileVersion, type Part, SMALL_FILE } from '../../store/files/files.ts'
import { contentName, DamagedContent, damageIn } from '../../store/store-error.ts'
import type { DamageMonitor } from '../health/damage-monitor.ts'

/** Files whose bytes are compared with their hash before they are given, or while they are. */
export type VerifiedFiles = Files & {
  /**
   * Checks a file without reading it for a client. One of more than 64 MiB is checked in the background, and one in a bucket only
   * when it is read.
   *
   * @throws {DamagedContent} if the file is damaged
   */
  assertSound: (workspace: string, hash: Hash) => Promise<void>
  /** Ends checks in the background. */
  stop: () => void
}

/** Takes notes of damage. A command has none, since damage ends it. */
type DamageReport = Pick<DamageMonitor, 'found' | 'sound'>

/**
 * Verifies files that others read. `open` throws `DamagedContent`, and so do the chunks of a file that turns out to be
 * damaged while it is read; the last chunk is given only if the hash is right.
 *
 * A file on this machine's disk is checked once for each version of it. One of up to 64 MiB is checked before its first
 * byte is given, a larger one while it is read whole. A part of a larger one is given at once, and the file is checked in the
 * background. A bucket checks what it gives by itself.
 */
export function verifiedFiles(files: Files, caches: Caches, report: DamageReport = NO_REPORT): VerifiedFiles {
  const { version } = files
  return version ? verifiedOnDisk({ ...files, version }, caches, report) : reportedFromBucket(files, report)
}

const NO_REPORT: DamageReport = { found: () => undefined, sound: () => undefined }

type DiskFiles = Files & Required<Pick<Files, 'version'>>

/** Whether a version of a file has the right bytes. */
type Verdict = { isSound: boolean }

/** A version of a file, and the key of the verdict on it. */
type Version = FileVersion & { workspace: string; hash: Hash; key: string }

function verifiedOnDisk(files: DiskFiles, caches: Caches, report: DamageReport): VerifiedFiles {
  const { versionOf, known, verify, judge, damageOf, stop } = openVerdicts(files, caches, report)
  const inBackground = backgroundChecks(verify)
  const open: Files['open'] = async (workspace, hash, part, signal) => {
    const version = await versionOf(workspace, hash)
    if (!version) return files.open(workspace, hash, part, signal)
    const refuseDamaged = () => {
      if (known(version)?.isSound === false) throw damageOf(version)
    }
    const isUnknown = isLarge(version) && !known(version)
    const { isSound, bytes } = isUnknown ? { isSound: true } : await verify(version)
    if (!isSound) throw damageOf(version)
    if (bytes) return given(part ? bytes.subarray(part.start, part.end + 1) : bytes)
    const chunks = await files.open(workspace, hash, part, signal)
    if (!chunks || !isUnknown) return chunks
    const watched = untilDamaged(chunks, refuseDamaged)
    if (!isWhole(part, version)) {
      inBackground(version)
      return start(watched)
    }
    const atEnd = async (isSound: boolean) => {
      await judge(version, { isSound })
      if (!isSound) throw damageOf(version)
    }
    return start(provenAtEnd(watched, version, atEnd))
  }
  const assertSound: VerifiedFiles['assertSound'] = async (workspace, hash) => {
    const version = await versionOf(workspace, hash)
    if (!version) return
    if (isLarge(version) && !known(version)) inBackground(version)
    else if (!(await verify(version)).isSound) throw damageOf(version)
  }
  return { ...files, open, assertSound, stop }
}

/** A file of up to this size is checked before its first byte is given: in steps, which take 50 to 200 ms together. */
const CHECKED_FIRST_BYTES = 64 << 20

function isLarge({ size }: Version): boolean {
  return size > CHECKED_FIRST_BYTES
}

function isWhole(part: Part | undefined, { size }: Version): boolean {
  return !part || (part.start === 0 && part.end >= size - 1)
}

async function* given(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** The outcome of a check, with the bytes of a small file. */
type Outcome = Verdict & { bytes?: Uint8Array }

/** Remembers the verdict on each version of a file. Callers waiting for the same version share one check. */
function openVerdicts(files: DiskFiles, caches: Caches, report: DamageReport) {
  const verdicts = caches.open<Verdict>('verdicts')
  const underWay = new Map<string, Promise<Outcome>>()
  const ending = new AbortController()
  const versionOf = async (workspace: string, hash: Hash): Promise<Version | undefined> => {
    const version = await files.version(workspace, hash)
    return version && { ...version, workspace, hash, key: `${workspace}/${hash}\n${version.id}` }
  }
  const damageOf = ({ workspace, hash }: Version) =>
    new DamagedContent({ kind: 'file', path: files.pathOf(workspace, hash) })
  /** Keeps a verdict, unless the file has changed meanwhile. */
  const judge = async (version: Version, outcome: Outcome): Promise<Outcome> => {
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
    const verdict = verdicts.get(version.key) ?? underWay.get(version.key)
    if (verdict) return verdict
    const checking = check(files, version, ending.signal).then(outcome => judge(version, outcome))
    underWay.set(version.key, checking)
    return checking.finally(() => underWay.delete(version.key))
  }
  const isRepaired = async ({ workspace, hash }: Version) => {
    const version = await versionOf(workspace, hash)
    return !version || (await verify(version)).isSound
  }
  const known = ({ key }: Version) => verdicts.peek(key)
  return { versionOf, known, verify, judge, damageOf, stop: () => ending.abort() }
}

/** Reads a file to its end. Each chunk is a step, since the next one comes from the disk. */
async function check(files: Files, { workspace, hash, size }: Version, signal: AbortSignal): Promise<Outcome> {
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

/** Checks large files one after the other, each once. */
function backgroundChecks(verify: (version: Version) => Promise<Outcome>): (version: Version) => void {
  const inTurn = serial()
  const waiting = new Set<string>()
  return version => {
    if (waiting.has(version.key) || waiting.size >= MAX_WAITING) return
    waiting.add(version.key)
    void inTurn(() => verify(version))
      .catch(() => undefined) // A request that reads the file gets the error of the disk.
      .finally(() => waiting.delete(version.key))
  }
}

/** Large files beyond this limit wait for their next request. */
const MAX_WAITING = 100

/** Chunks until a check in the background finds damage. */
async function* untilDamaged(
  chunks: AsyncGenerator<Uint8Array>,
  refuseDamaged: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield NOTHING
    for await (const chunk of chunks) {
      refuseDamaged()
      yield chunk
    }
  } finally {
    await chunks.return(undefined)
  }
}

/** Holds back the last chunk until `atEnd` has taken the verdict. */
async function* provenAtEnd(
  chunks: AsyncGenerator<Uint8Array>,
  { hash, size }: Version,
  atEnd: (isSound: boolean) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  let read = 0
  for await (const chunk of chunks) {
    digest.update(chunk)
    read += chunk.length
    if (read >= size) await atEnd(digest.digest('hex') === hash)
    yield chunk
    if (read >= size) return
  }
  await atEnd(false)
}

const NOTHING = new Uint8Array()

/** Takes the first chunk, which is empty: ending a generator that has not started would not close its file. */
async function start(chunks: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  await chunks.next()
  return chunks
}

/** The reader of a bucket checks its bytes; this only notes its verdicts. */
function reportedFromBucket(files: Files, report: DamageReport): VerifiedFiles {
  const open: Files['open'] = async (workspace, hash, part, signal) => {
    const noteDamage = (error: unknown): never => {
      const damage = damageIn(error)
      if (damage && !damage.isMissing) report.found(damage, () => canBeRead(files, workspace, hash, part))
      throw error
    }
    const noteEnd = () => {
      if (!part) report.sound(files.pathOf(workspace, hash))
    }
    const chunks = await files.open(workspace, hash, part, signal).catch(noteDamage)
    return chunks && start(withOutcome(chunks, noteDamage, noteEnd))
  }
  return { ...files, open, assertSound: async () => undefined, stop: () => undefined }
}

async function canBeRead(files: Files, ...asked: Parameters<Files['open']>): Promise<boolean> {
  for await (const _ of (await files.open(...asked)) ?? []);
  return true
}

async function* withOutcome(
  chunks: AsyncGenerator<Uint8Array>,
  failed: (error: unknown) => never,
  ended: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield NOTHING
    yield* chunks
    ended()
  } catch (error) {
    failed(error)
  } finally {
    await chunks.return(undefined)
  }
}
