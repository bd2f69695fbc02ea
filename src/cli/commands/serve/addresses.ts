import type { Running } from '../../../compose.ts'
import { table } from '../../output/text.ts'

/** A project that is served. `hint` says how to see it, if not everyone may. */
export type ServedProject = { workspace: string; project: string; hint?: string }

/** The addresses of a service and of the projects that it serves, one on each line. */
export function addressLines(projects: readonly ServedProject[], { url, baseUrl }: Running): string {
  return table([
    ['API', baseUrl],
    ['Documentation', `${url}/docs`],
    ...projects.map(({ workspace, project, hint = '' }) => [
      `${workspace}/${project}`,
      `${url}/${workspace}/${project}`,
      hint,
    ]),
  ])
}
