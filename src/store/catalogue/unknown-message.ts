import { type PlaceRef, placeText } from '#brand/ids.ts'
import { quote } from '#platform/base/text.ts'
import type { Queries } from '../database/database.ts'
import { listProjects, listWorkspaces } from './catalogue.ts'

/** The message that a store has no such workspace or project. It suggests the most similar name. */
export async function unknownMessage(queries: Queries, name: PlaceRef): Promise<string> {
  const kind = name.project === undefined ? 'workspace' : 'project'
  const similar = await similarName(queries, name)
  const help =
    similar === undefined
      ? ': import its folder first, or see `housestyle status`'
      : ` (did you mean ${quote(placeText(similar))}?)`
  return `there is no ${kind} ${quote(placeText(name))}${help}`
}

/** The most similar workspace, or project of the most similar workspace; undefined if none is similar. */
async function similarName(queries: Queries, { workspace, project }: PlaceRef): Promise<PlaceRef | undefined> {
  const { mostSimilar } = await import('#brand/similar.ts') // Only a failure needs it.
  const workspaces = await listWorkspaces(queries)
  const similarWorkspace = mostSimilar(
    workspace,
    workspaces.map(({ id }) => id),
  )
  if (similarWorkspace === undefined) return undefined
  if (project === undefined) return { workspace: similarWorkspace }
  const projects = (await listProjects(queries, similarWorkspace)).map(each => each.project)
  const similarProject = mostSimilar(project, projects, MAX_DIFFERENCE)
  return similarProject === undefined ? undefined : { workspace: similarWorkspace, project: similarProject }
}

/** The share of the letters of a project by which a similar one may differ. */
const MAX_DIFFERENCE = 2 / 5
