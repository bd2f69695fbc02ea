import { type ProjectRef, placeText } from '#brand/ids.ts'
import { groupsOf, quote } from '#platform/base/text.ts'
import { checkSelection } from '#publishing/project-ref.ts'
import { withExistingStore } from '../compose/store.ts'
import { type Arguments, type Io, listOption, operand, type Store } from './command.ts'
import { Misuse, unwrap } from './failure.ts'
import { printWarning } from './output/output.ts'
import { type CommandSettings, loadSettings } from './settings.ts'

export type InStore = { store: Store; settings: CommandSettings; now: Date }

/**
 * Runs work in the existing store that the settings of a command name, or in another one that `open` opens. Warns of each
 * damaged row that work about many guides leaves out, also with `--json`.
 */
export async function inStore<Value>(
  args: Arguments,
  io: Io,
  work: (opened: InStore) => Promise<Value>,
  open: typeof withExistingStore<Value> = withExistingStore,
): Promise<Value> {
  const settings = await loadSettings(args, io)
  return open(settings, store => {
    const warned = new Set<string>()
    store.database.listeners.add(({ message }) => {
      if (!warned.has(message)) printWarning(message, args, io)
      warned.add(message)
    })
    return work({ store, settings, now: store.clock.date() })
  })
}

/** Runs work on the project that the first operand names. `name` is `workspace/project`. */
export async function onProject<Value>(
  args: Arguments,
  io: Io,
  work: (opened: InStore & { ref: ProjectRef; name: string }) => Promise<Value>,
): Promise<Value> {
  const ref = parseProjectRef(operand(args, 0))
  return inStore(args, io, opened => work({ ...opened, ref, name: placeText(ref) }))
}

export function parseProjectRef(text: string): ProjectRef {
  const [, workspace, project] = groupsOf(/^([^/]+)\/([^/]+)$/, text)
  if (workspace === undefined || project === undefined)
    throw new Misuse(`${quote(text)} is not a project: write workspace/project, for example acme/guidelines`)
  return { workspace, project }
}

/** The projects that `--take` moves to a source, as `workspace/project`. */
export function takenProjects(args: Arguments): string[] {
  return listOption(args, 'take').map(text => placeText(parseProjectRef(text)))
}

/** Parses a revision number. `expected` completes the error message: the values to write. */
export function parseRevision(text: string, expected = 'its number, as `housestyle history` shows it'): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Misuse(`${quote(text)} is not a revision: write ${expected}`)
  return Number(text)
}

/** All projects, all projects of a workspace, or one project. */
export type Selection = Partial<ProjectRef>

/** Parses an optional operand: absent, `acme` or `acme/guidelines`. */
export function parseSelection(text: string | undefined): Selection {
  if (text === undefined) return {}
  return text.includes('/') ? parseProjectRef(text) : { workspace: text }
}

export async function requireSelection({ database }: Store, selection: Selection): Promise<void> {
  unwrap(await checkSelection(database, selection))
}
