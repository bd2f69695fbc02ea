import { strict as assert } from 'node:assert/strict'
import { join } from 'node:path'
import { housestyle } from '../cli/housestyle.ts'
import { writeFolder } from './brand-folder.ts'
import { serve } from './command.ts'
import type { Killer } from './killer.ts'
import { randomNumbers } from './random.ts'
import { readVariants, type VariantSize, variantOf } from './variants.ts'

/** The counts of a crash test. */
export type CrashReport = { killed: number; finished: number; replies: number }

const BIN = join(import.meta.dirname, '../../bin/housestyle.js')
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
  const drafts = new Set<string>()
  let variant = 0
  const prepare = async () => {
    await writeFolder(join(folder, 'acme'), variantOf(++variant, size))
    drafts.add(await draftOf(folder, options))
  }
  await prepare()
  await runToEnd(['import', join(folder, 'acme')], options)
  await runToEnd(['publish', '--all'], options)
  const running = await serve(BIN, ...options, '--rate', 'off')
  const token = (await runToEnd(['token', 'issue', 'acme', '--expires', '1d', '--log', 'silent'], options)).trim()
  const reading = readVariants(running, token, [200])
  const report = { killed: 0, finished: 0, replies: 0 }
  try {
    for (let round = 0; report.killed < times; round++) {
      const { name, args, isNew } = KINDS[round % KINDS.length] ?? FIRST
      if (isNew) await prepare()
      const all = [...args, ...(name === 'import' ? [join(folder, 'acme')] : [])]
      if (await kill(all, random())) report.killed++
      else report.finished++
      await assertWhole(options, drafts, `seed ${seed}, round ${round}, ${name}`)
    }
  } finally {
    report.replies = await reading.end()
    await running.stop()
  }
  return report
}

type Kind = { name: string; args: readonly string[]; isNew?: true }

const FIRST: Kind = { name: 'import', args: ['import'], isNew: true }

/** The commands run in sequence on the same store. */
const KINDS: readonly Kind[] = [
  FIRST,
  { name: 'publish', args: ['publish', '--all'] },
  { name: 'copy', args: ['copy', GUIDE, 'other/guide'] },
  FIRST,
  { name: 'delete', args: ['delete', 'other/guide', '--yes'] },
  { name: 'gc', args: ['gc', '--keep', '1'] },
]

async function runToEnd(args: readonly string[], options: readonly string[]): Promise<string> {
  const ran = await housestyle([...args, ...options])
  assert.equal(ran.status, 0, `${args.join(' ')}: ${ran.stderr}`)
  return ran.stdout
}

/** The snapshot of the folder's current content. */
async function draftOf(folder: string, options: readonly string[]): Promise<string> {
  const { projects } = JSON.parse(await runToEnd(['import', join(folder, 'acme'), '--dry-run', '--json'], options))
  return projects[0].snapshot
}

async function assertWhole(options: readonly string[], drafts: ReadonlySet<string>, said: string): Promise<void> {
  const doctor = await housestyle(['doctor', '--json', ...options])
  assert.deepEqual([JSON.parse(doctor.stdout), doctor.status], [[], 0], said)
  for (const state of JSON.parse(await runToEnd(['status', '--json'], options))) {
    assert.notEqual(state.status, 'Processing', said)
    assert.ok(drafts.has(state.draft), `${said}: the draft belongs to no import`)
    assert.ok(
      state.published === null || drafts.has(state.published),
      `${said}: the published revision belongs to no import`,
    )
  }
  const history: { revision: number }[] = JSON.parse(await runToEnd(['history', GUIDE, '--json'], options))
  const numbers = history.map(({ revision }) => revision)
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => numbers.length - at),
    said,
  )
}
