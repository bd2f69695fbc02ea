import type { ProjectRef } from '../brand/ids.ts'
import { withExistingStore } from '../compose/store.ts'
import type { CommandResult } from '../publishing/command-problem.ts'
import type { Arguments, Store } from './command.ts'
import { unwrap } from './failure.ts'
import type { Io } from './io.ts'
import { parseProjectRef } from './project-ref.ts'
import { loadSettings } from './settings/settings.ts'

/** Opens an existing store and runs work on the project that the first operand names. `now` is the time by the store's clock. */
export async function withProject<Value>(
  args: Arguments,
  io: Io,
  work: (store: Store, ref: ProjectRef) => Promise<CommandResult<Value>>,
): Promise<{ ref: ProjectRef; name: string; result: Value; now: Date }> {
  const settings = await loadSettings(args, io)
  const ref = parseProjectRef(args.operands[0] ?? '')
  const done = await withExistingStore(settings, async store => ({
    result: unwrap(await work(store, ref)),
    now: store.clock.date(),
  }))
  return { ref, name: `${ref.workspace}/${ref.project}`, ...done }
}
