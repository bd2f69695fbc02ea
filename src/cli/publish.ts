import { withStore } from '../compose.ts'
import { type PublishResult, publish } from '../publishing/publish.ts'
import { projectStates } from '../publishing/status.ts'
import { type Given, isGiven, type Run, textOption } from './command.ts'
import { allow, CommandFailure, UsageFailure } from './failure.ts'
import { type Io, printJson } from './io.ts'
import { type Place, parsePlace } from './place.ts'
import { settingsOf } from './settings.ts'

/** `publish <w/p>…`, `publish --all` */
export const run: Run = async (given, io) => {
  const settings = await settingsOf(given, io)
  const isAll = isGiven(given, 'all')
  if (isAll === given.operands.length > 0)
    throw new UsageFailure('name the projects to publish as workspace/project, or give --all')
  const note = textOption(given, 'note')
  if (note !== undefined && note.length > LONGEST_NOTE)
    throw new UsageFailure(`--note: a note may have ${LONGEST_NOTE} characters`)
  const results = await withStore(settings, async store => {
    const places = await placesOf(given, await projectStates(store, {}))
    const published: PublishResult[] = []
    for (const place of places) {
      published.push(allow(await publish(store, place, note, new Date())))
    }
    return published
  })
  if (isGiven(given, 'json')) printJson(io, results)
  else if (results.length === 0) io.err('the store holds no project yet: housestyle import <folder>\n')
  else for (const result of results) printPublication(result, io)
  return 0
}

const LONGEST_NOTE = 1000

/** Everything that is named is looked up before anything is published. */
async function placesOf(given: Given, states: readonly Place[]): Promise<Place[]> {
  if (isGiven(given, 'all')) return states.map(({ workspace, project }) => ({ workspace, project }))
  const places = given.operands.map(parsePlace)
  const missing = places.find(
    place => !states.some(({ workspace, project }) => workspace === place.workspace && project === place.project),
  )
  if (missing) throw noProject(missing)
  return places
}

function noProject({ workspace, project }: Place): CommandFailure {
  return new CommandFailure(
    'not-found',
    `there is no project ${workspace}/${project}: import its folder first, or see housestyle status`,
  )
}

/** Says what a publication did. */
function printPublication({ workspace, project, revision, snapshot, changed }: PublishResult, io: Io): void {
  const what = changed ? `published revision ${revision}` : `revision ${revision} is served already`
  io.out(`${workspace}/${project}: ${what} (snapshot ${snapshot.slice(0, 12)})\n`)
}
