import { hash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/*
 * Keeps the code that V8 has made of the large scripts of dist/ for the next process. Node's own cache has of each function
 * that a module declares no more than where it begins, so that every start compiles again what it runs (decision 430). The
 * code stands beside that of Node, in a folder of this user alone, and is absent where Node's cache is turned off.
 */

/** Runs a script in ASCII, with the code of an earlier process if there is any, and gives the value of its only expression. */
export function runScript(address: string): unknown {
  const filename = fileURLToPath(address)
  const bytes = readFileSync(filename)
  const place = placeOf(filename)
  const sum = sumOf(bytes)
  const cachedData = place && readCode(place, sum)
  const script = new Script(bytes.toString('latin1'), { filename, ...(cachedData && { cachedData }) })
  if (place !== undefined && (!cachedData || script.cachedDataRejected)) fresh.push({ place, sum, script })
  return script.runInThisContext()
}

/** A script of which no code was found that fits, and the checksum of its bytes. */
type Fresh = { place: string; sum: Buffer; script: Script }

const fresh: Fresh[] = []

/**
 * Keeps the code of the scripts that had none, with the functions that have run by now; gives how many. V8 takes it only
 * under the flags that it has now. What cannot be written is not kept.
 */
export async function keepCode(): Promise<number> {
  let kept = 0
  for (const { place, sum, script } of fresh.splice(0)) if (await writeCode(place, sum, script)) kept++
  return kept
}

/** Bun has such a folder as well, and no code of V8 in it. */
function placeOf(filename: string): string | undefined {
  const folder = 'Bun' in globalThis ? undefined : getCompileCacheDir()
  return folder === undefined ? undefined : join(folder, `housestyle-${basename(filename)}.code`)
}

/** Two checksums stand before the code: that of the script, and its own. V8 itself sees to it that it is of this V8. */
function readCode(place: string, sum: Buffer): Buffer | undefined {
  try {
    const file = readFileSync(place)
    const code = file.subarray(2 * SUM_BYTES)
    return file.subarray(0, 2 * SUM_BYTES).equals(Buffer.concat([sum, sumOf(code)])) ? code : undefined
  } catch {
    return undefined
  }
}

function sumOf(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}

const SUM_BYTES = 32

/** Others see all of the file or nothing. */
async function writeCode(place: string, sum: Buffer, script: Script): Promise<boolean> {
  const unfinished = `${place}-${randomUUID()}`
  try {
    const code = script.createCachedData()
    await writeFile(unfinished, Buffer.concat([sum, sumOf(code), code]), { mode: 0o600, flag: 'wx' })
    await rename(unfinished, place)
    return true
  } catch {
    await rm(unfinished, { force: true }).catch(() => undefined)
    return false
  }
}
