import type { ProjectRef } from '../../../brand/ids.ts'
import { placeName, withExistingStore } from '../../../compose/store.ts'
import { type PublishResult, publishAll, publishEvery } from '../../../publishing/publish.ts'
import { runningServices } from '../../../publishing/running-services.ts'
import { hasFlag, type Run, textOption } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { printJson } from '../../output/json.ts'
import { afterPublish, printEmptyStore, printNextSteps } from '../../output/next-step.ts'
import { parseProjectRef } from '../../project-ref.ts'
import { loadSettings } from '../../settings/settings.ts'

/** `publish <workspace/project>…`, `publish --all` */
export const run: Run = async (args, io) => {
  const settings = await loadSettings(args, io)
  const isAll = hasFlag(args, 'all')
  if (isAll === args.operands.length > 0)
    throw new CommandFailure('usage', 'name the projects to publish as workspace/project, or give --all')
  const note = textOption(args, 'note')
  if (note !== undefined && note.length > MAX_NOTE)
    throw new CommandFailure('usage', `--note: a note may have at most ${MAX_NOTE} characters`)
  const refs = args.operands.map(parseProjectRef).filter(isFirst)
  const { results, service } = await withExistingStore(settings, async store => {
    const now = store.clock.date()
    const results = unwrap(isAll ? await publishEvery(store, note, now) : await publishAll(store, refs, note, now))
    return { results, service: (await runningServices(store, now))[0] }
  })
  if (hasFlag(args, 'json')) printJson(io, results)
  else if (results.length === 0) printEmptyStore(placeName(settings), args, io)
  else {
    for (const result of results) printPublication(result, io)
    if (service !== undefined)
      for (const { workspace, project } of results) io.err(`served at ${service}/${workspace}/${project}\n`)
    printNextSteps(afterPublish(results, service), args, io)
  }
  return 0
}

const MAX_NOTE = 1000

function isFirst({ workspace, project }: ProjectRef, index: number, refs: readonly ProjectRef[]): boolean {
  return refs.findIndex(ref => ref.workspace === workspace && ref.project === project) === index
}

function printPublication({ workspace, project, revision, snapshot, changed }: PublishResult, io: Io): void {
  const what = changed ? `published revision ${revision}` : `revision ${revision} is already published`
  io.out(`${workspace}/${project}: ${what} (snapshot ${snapshot.slice(0, 12)})\n`)
}
