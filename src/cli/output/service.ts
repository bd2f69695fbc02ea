import type { IssuedToken } from '../../access/token/issue.ts'
import type { Running } from '../../compose.ts'
import type { ProjectState } from '../../publishing/status.ts'
import { table } from './text.ts'

/** The addresses of a service and of the projects that it serves, one a line. */
export function addressLines(projects: readonly ProjectState[], { url, baseUrl }: Running): string {
  const published = projects.filter(({ revision }) => revision !== null)
  return table([
    ['API', baseUrl],
    ['Documentation', `${url}/docs`],
    ...published.map(({ workspace, project }) => [`${workspace}/${project}`, `${url}/${workspace}/${project}`]),
  ])
}

/** The token, and a command line that uses it. */
export function demoTokenLines({ token, workspace }: IssuedToken, baseUrl: string, period: string): string {
  const curl = `curl -H 'Authorization: Bearer ${token}' ${baseUrl}/workspace/${workspace}/projects`
  return `\nA token that is valid for ${period}, for trying:\n${token}\n\nTry:\n${curl}\n`
}
