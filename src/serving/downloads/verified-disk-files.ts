import { createHash } from 'node:crypto'
import { serial } from '../../base/promise.ts'
import type { Hash } from '../../brand/ids.ts'
import type { Caches } from '../../caches/caches.ts'
import type { Files, Part } from '../../store/files/files.ts'
import { startChunks } from '../../store/files/start-chunks.ts'
import { type DamageReport, type DiskFiles, openVerdicts, type Version } from './file-verdicts.ts'

/**
 * Verifies files on this machine's disk, each version once. A file of up to 64 MiB is checked before its first byte is
 * sent, and a larger one while it is read whole. A part of a larger file is sent at once, while the file is checked in the
 * background.
 */
export function verifyOnDisk(files: DiskFiles, caches: Caches, report: DamageReport) {
  const { versionOf, knownVerdict, verify, record, damageOf, stop } = openVerdicts(files, caches, report)
  const verifyInBackground = openBackgroundChecks(verify)
  const open: Files['open'] = async (workspace, hash, part, signal) => {
    const version = await versionOf(workspace, hash)
    if (!version) return files.open(workspace, hash, part, signal)
    if (!isLarge(version) || knownVerdict(version)) {
      const { isSound, bytes } = await verify(version)
      if (!isSound) throw damageOf(version)
      if (bytes) return single(part ? bytes.subarray(part.start, part.end + 1) : bytes)
      return files.open(workspace, hash, part, signal)
    }
    const chunks = await files.open(workspace, hash, part, signal)
    if (!chunks) return undefined
    const assertNoDamageFound = () => {
      if (knownVerdict(version)?.isSound === false) throw damageOf(version)
    }
    if (!isWhole(part, version)) {
      verifyInBackground(version)
      return startChunks(chunks, () => untilDamageIsFound(chunks, assertNoDamageFound))
    }
    const recordResult = async (isSound: boolean) => {
      await record(version, { isSound })
      if (!isSound) throw damageOf(version)
    }
    return startChunks(chunks, () =>
      verifyWhileReading(untilDamageIsFound(chunks, assertNoDamageFound), version, recordResult),
    )
  }
  const assertSound = async (workspace: string, hash: Hash): Promise<void> => {
    const version = await versionOf(workspace, hash)
    if (!version) return
    if (isLarge(version) && !knownVerdict(version)) verifyInBackground(version)
    else if (!(await verify(version)).isSound) throw damageOf(version)
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

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
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
