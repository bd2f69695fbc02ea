import { strict as assert } from 'node:assert/strict'
import { join } from 'node:path'
import { housestyle, MAIN } from '../program/cli/housestyle.ts'
import { serve } from './command.ts'
import type { Killer } from './killer.ts'
import { randomNumbers } from './random.ts'
import { writeFolder } from './temporary.ts'
import { readVariants, type VariantSize, variantOf } from './variants.ts'

/** The counts of a crash test. */
export type CrashReport = { killed: number; finished: number; replies: number }

const GUIDE = 'acme/guide'

/** A store that does not exist yet: the options of commands that name it, and a killer for commands on it. */
export type CrashedStore = { options: readonly string[]; kill: Killer; size?: VariantSize }

/**
 * Repeatedly kills imports, publications, copies, collections and deletions at random moments, while clients read a
 * service of the same store. Asserts each time: the store is whole, no operation is pending, the draft belongs to one
 * import, revisions have no gap, and every reply belongs to one revision. The seed determines the moments.
 */
export async function crash(
  folder: string,
  { options, kill, size = { items: 30, bytes: 40_000 } }: CrashedStore,
  times: number,
  seed: number,
): Promise<CrashReport> {
  const random = randomNumbers(seed)
  const brand = join(folder, 'acme')
  const drafts: string[] = []
  let made = 0
  const prepare = async () => {
    const variant = made++ % VARIANTS
    await writeFolder(brand, variantOf(variant, size))
    drafts[variant] ??= await draftOf(brand, options)
  }
  await prepare()
  await kill(['import', brand], 1)
  await kill(['publish', '--all'], 1)
  const running = await serve(MAIN, ...options, '--rate', 'off')
  const token = (await runToEnd(['token', 'issue', 'acme', '--expires', '1d', '--log', 'silent'], options)).trim()
  const reading = readVariants(running, token, [200])
  const kinds = [
    ['copy', GUIDE, 'other/guide'],
    ['import', brand],
    ['publish', '--all'],
    ['delete', 'other/guide', '--yes'],
    ['gc', '--keep', '1'],
  ]
  const report = { killed: 0, finished: 0, replies: 0 }
  try {
    for (let round = 0; report.killed < times; round++) {
      const args = kinds[round % kinds.length] ?? []
      if (args[0] === 'import') await prepare()
      if (await kill(args, random())) report.killed++
      else report.finished++
      await assertWhole(options, drafts, `seed ${seed}, round ${round}, ${args[0]}`)
    }
  } finally {
    report.replies = await reading.end()
    await running.stop()
  }
  return report
}

/** If an import is killed, the next one still has other content than the draft. */
const VARIANTS = 3

async function runToEnd(args: readonly string[], options: readonly string[]): Promise<string> {
  const ran = await housestyle([...args, ...options])
  assert.equal(ran.status, 0, `${args.join(' ')}: ${ran.stderr}`)
  return ran.stdout
}

/** The snapshot of the folder's current content. */
async function draftOf(brand: string, options: readonly string[]): Promise<string> {
  const { projects } = JSON.parse(await runToEnd(['import', brand, '--dry-run', '--json'], options))
  return projects[0].snapshot
}

async function assertWhole(options: readonly string[], drafts: readonly string[], said: string): Promise<void> {
  const doctor = await housestyle(['doctor', '--json', ...options])
  assert.deepEqual([JSON.parse(doctor.stdout), doctor.status], [[], 0], said)
  for (const state of JSON.parse(await runToEnd(['status', '--json'], options))) {
    assert.notEqual(state.status, 'Processing', said)
    assert.ok(drafts.includes(state.draft), `${said}: the draft belongs to no import`)
    assert.ok(
      state.published === null || drafts.includes(state.published),
      `${said}: the published revision belongs to no import`,
    )
  }
  const history: { revision: number }[] = JSON.parse(await runToEnd(['history', GUIDE, '--json'], options))
  const numbers = history.map(({ revision }) => revision)
  const expected = numbers.map((_, at) => numbers.length - at)
  assert.deepEqual(numbers, expected, said)
}
