import type { ProjectRef } from '../../../brand/ids.ts'
import type { RunningService } from '../../../compose/running.ts'
import { table } from '../../output/text.ts'

/** A published project. `hint` says how to open it if it is private. */
export type ServedProject = ProjectRef & { hint?: string }

/** The addresses of a service and of its first projects, one per line. */
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

/** More lines would not be read. */
export const MAX_SHOWN = 100
