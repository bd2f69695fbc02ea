import { resolve } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { errorMessage } from '#platform/base/error.ts'
import { publishAll } from '#publishing/publish.ts'
import { projectStates } from '#publishing/status.ts'
import { addressesFor } from '../../../compose/address.ts'
import { answerLocalAgent, type LocalContent } from '../../../compose/agents.ts'
import { withExistingStore } from '../../../compose/store.ts'
import { version } from '../../about.ts'
import { type Io, type Run, type Store, textOption, untilInterrupted } from '../../command.ts'
import { CommandFailure, EXIT, Misuse, unwrap } from '../../failure.ts'
import { visible } from '../../output/text.ts'
import { serviceAddress } from '../../service-address.ts'
import { loadSettings } from '../../settings.ts'

/** `mcp [folder]`: answers an agent over standard input and output until the input ends. */
export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const [folder] = args.operands
  const wanted = textOption(args, 'workspace')
  if (folder !== undefined) {
    const { withImportedFolder } = await import('../../brand-folder.ts')
    return withImportedFolder({ folder, settings, date: new Date() }, io, async (store, id, refs) => {
      const workspace = choose([id], wanted)
      unwrap(await publishAll(store, refs, {}, new Date()))
      return answer(store, { workspace, folder: resolve(io.folder, folder) }, io)
    })
  }
  return withExistingStore(settings, async store => {
    const published = (await projectStates(store, {})).filter(({ revision }) => revision !== null)
    const workspace = choose([...new Set(published.map(each => each.workspace))], wanted)
    const urls = await addressesFor(store, await serviceAddress(store, args, settings), settings)
    return answer(store, { workspace, urls }, io)
  })
}

/** The wanted workspace, or the only one. */
function choose(ids: readonly string[], wanted: string | undefined): string {
  const [only] = ids
  if (wanted !== undefined && !ids.includes(wanted))
    throw new CommandFailure(
      'workspace_unknown',
      `no published project is in workspace ${visible(wanted)}: ${list(ids)}`,
    )
  if (wanted !== undefined) return wanted
  if (only === undefined || ids.length > 1)
    throw new CommandFailure('workspace_ambiguous', `name a workspace with published projects: ${list(ids)}`)
  return only
}

function list(ids: readonly string[]): string {
  return ids.length === 0 ? 'there is none; see `housestyle publish --help`' : `--workspace ${ids.join(', ')}`
}

/** Answers until the input ends or a signal arrives. Faults go to standard error, which clients keep as a log. */
async function answer(store: Store, about: LocalContent, io: Io): Promise<number> {
  const { input, signal } = io
  if (!input) throw new Misuse('the command needs standard input')
  if (input instanceof Readable) addAbortSignal(signal, input)
  try {
    await answerLocalAgent(store, about, {
      input,
      write: text => io.outBytes(new TextEncoder().encode(text)),
      failed: error => io.err(`housestyle: ${visible(errorMessage(error))}\n`),
      version: version(),
    })
    return EXIT.done
  } catch (error) {
    if (!signal.aborted) throw error
    return untilInterrupted(io)
  }
}
