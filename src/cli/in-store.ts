import type { ProjectRef } from '../brand/ids.ts'
import { withExistingStore } from '../compose/store.ts'
import type { Arguments, Store } from './command.ts'
import type { Io } from './io.ts'
import { parseProjectRef } from './project-ref.ts'
import { type CommandSettings, loadSettings } from './settings/settings.ts'

/** The opened store of a command, the command's settings, and the time by the store's clock. */
export type InStore = { store: Store; settings: CommandSettings; now: Date }

/** Runs work in the existing store that the settings of a command name. */
export async function inStore<Value>(
  args: Arguments,
  io: Io,
  work: (opened: InStore) => Promise<Value>,
): Promise<Value> {
  const settings = await loadSettings(args, io)
  return withExistingStore(settings, store => work({ store, settings, now: store.clock.date() }))
}

/** Runs work on the project that the first operand names. `name` is `workspace/project`. */
export async function onProject<Value>(
  args: Arguments,
  io: Io,
  work: (opened: InStore & { ref: ProjectRef; name: string }) => Promise<Value>,
): Promise<Value> {
  const settings = await loadSettings(args, io)
  const ref = parseProjectRef(args.operands[0] ?? '')
  const name = `${ref.workspace}/${ref.project}`
  return withExistingStore(settings, store => work({ store, settings, now: store.clock.date(), ref, name }))
}
