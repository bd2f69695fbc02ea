import type { ProjectRef } from '../../../brand/ids.ts'
import { placeName } from '../../../compose/store.ts'
import { type PublishResult, publishAll, publishEvery } from '../../../publishing/publish.ts'
import { runningServices } from '../../../publishing/status.ts'
import { hasFlag, type NextStep, type Run, textOption } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import { inStore, parseProjectRef } from '../../in-store.ts'
import { emptyStoreOutput } from '../../output/output.ts'

/** `publish <workspace/project>…`, `publish --all` */
export const run: Run = async (args, io) => {
  const isAll = hasFlag(args, 'all')
  if (isAll === args.operands.length > 0)
    throw new CommandFailure('usage', 'name the projects to publish as workspace/project, or give --all')
  const note = textOption(args, 'note')
  if (note !== undefined && note.length > MAX_NOTE)
    throw new CommandFailure('usage', `--note: a note may have at most ${MAX_NOTE} characters`)
  const refs = args.operands.map(parseProjectRef).filter(isFirst)
  return inStore(args, io, async ({ store, settings, now }) => {
    const results = unwrap(isAll ? await publishEvery(store, note, now) : await publishAll(store, refs, note, now))
    const [first] = results
    if (!first) return emptyStoreOutput(placeName(settings))
    const [service] = await runningServices(store, now)
    const served = results.map(({ workspace, project }) => `served at ${service}/${workspace}/${project}\n`)
    return {
      json: results,
      text: results.map(publicationText).join(''),
      note: service === undefined ? '' : served.join(''),
      next: service === undefined ? [START, linkTo(first)] : [linkTo(first)],
    }
  })
}

const MAX_NOTE = 1000

function isFirst({ workspace, project }: ProjectRef, index: number, refs: readonly ProjectRef[]): boolean {
  return refs.findIndex(ref => ref.workspace === workspace && ref.project === project) === index
}

function publicationText({ workspace, project, revision, snapshot, changed }: PublishResult): string {
  const state = changed ? `published revision ${revision}` : `revision ${revision} is already published`
  return `${workspace}/${project}: ${state} (snapshot ${snapshot.slice(0, 12)})\n`
}

const START: NextStep = { purpose: 'start the service', command: 'serve' }

function linkTo({ workspace, project }: ProjectRef): NextStep {
  return { purpose: 'give readers a link', command: 'share', operands: [`${workspace}/${project}`] }
}
