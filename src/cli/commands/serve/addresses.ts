import type { ProjectRef } from '../../../brand/ids.ts'
import type { RunningService } from '../../../compose/running.ts'
import { table } from '../../output/text.ts'

/** A project that is served. `hint` says how to see it, if not everyone may. */
export type ServedProject = ProjectRef & { hint?: string }

/** The addresses of a service and of the first projects that it serves, one on each line. */
export function addressLines(projects: readonly ServedProject[], { url, baseUrl, localUrl }: RunningService): string {
  const lines = table([
    ['API', baseUrl],
    ['Documentation', `${url}/docs`],
    ...(localUrl === url ? [] : [['Listens at', localUrl]]),
    ...projects
      .slice(0, MAX_SHOWN)
      .map(({ workspace, project, hint = '' }) => [`${workspace}/${project}`, `${url}/${workspace}/${project}`, hint]),
  ])
  return projects.length > MAX_SHOWN ? `${lines}… and more: \`housestyle status\` lists them all\n` : lines
}

/** Nobody reads more of them. */
export const MAX_SHOWN = 100
