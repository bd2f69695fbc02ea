import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { openStore } from '../src/store/store.ts'
import { writeFolder } from '../test/support/brand-folder.ts'
import { command } from '../test/support/command.ts'
import { multiplyWorkspace } from '../test/support/many-projects.ts'
import type { Figure } from './run.ts'
import { bodyOf, FILES } from './upkeep/files.ts'

const bin = join(dirname(import.meta.dirname), 'bin/housestyle.js')
const [FEW, MANY] = [1000, 100_000]
/** What a command may use for an object, of which it remembers the workspace, the hash and the size. */
const MAX_BYTES_PER_OBJECT = 2500

/**
 * The memory of backup, restore, doctor and gc of a store with 100,000 objects in a bucket, above that with a thousand and
 * beside that with files that no bucket lists. The bucket only lists: real servers are too slow for so many.
 */
export async function* measure(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const [few, many] = [await makeStore(folder, FEW), await makeStore(folder, MANY)]
    for (const name of ['backup', 'doctor', 'gc', 'restore']) {
      const peak = await peakOf(name, many, 'bucket')
      const above = `${name}: memory with ${MANY} objects above that with ${FEW}`
      const atMost = Math.round((MANY * MAX_BYTES_PER_OBJECT) / 2 ** 20)
      yield { name: above, value: peak - (await peakOf(name, few, 'bucket')), unit: 'MB', wanted: { atMost } }
      const beside = `${name}: memory with ${MANY} objects ÷ with as many files that no bucket lists`
      yield { name: beside, value: peak / (await peakOf(name, many, 'memory')), unit: 'ratio', wanted: { atMost: 1.3 } }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type BenchStore = { data: string; archive: string; objects: number }

/** A catalogue of workspaces of a hundred files each. */
async function makeStore(folder: string, objects: number): Promise<BenchStore> {
  const own = join(folder, `${objects}`)
  const data = join(own, 'data')
  const files = Array.from({ length: FILES }, (_, at) => [`guide/files/${at}.txt`, bodyOf(at)] as const)
  await writeFolder(join(own, 'acme'), Object.fromEntries(files))
  await command(bin, 'import', join(own, 'acme'), '--data', data)
  await command(bin, 'publish', '--all', '--data', data)
  const store = await openStore(data)
  await multiplyWorkspace(store.database, 'acme', objects / FILES - 1)
  await store.close()
  return { data, archive: join(own, 'backup.tar'), objects }
}

/** In MiB. */
async function peakOf(
  name: string,
  { data, archive, objects }: BenchStore,
  listed: 'bucket' | 'memory',
): Promise<number> {
  const script = join(import.meta.dirname, 'upkeep/command.ts')
  const env = { ...process.env, AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' }
  const args = [script, name, data, `${archive}.${listed}`, `${objects}`, listed]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return Number(stdout)
}
