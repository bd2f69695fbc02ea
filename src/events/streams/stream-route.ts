import { failed, ok, type Result } from '../../base/result.ts'
import { memoize } from '../../base/text.ts'
import { OPERATIONS } from '../../contract/operations.ts'
import { type Refusal, refuse, refuseMissingId } from '../../contract/refusals.ts'
import type { Call } from '../../contract/route.ts'
import { decodeSegments, pathProblem } from '../../exchange/target.ts'

/** Whether a path is the address of an event stream. */
export function isStreamPath(path: string): boolean {
  return path.startsWith('/events/workspace/')
}

/**
 * Finds the workspace, and the project if any, of an event stream: `/events/workspace/{workspace}`, also followed by
 * `/project/{project}`. A stream needs the same scope as the list of projects.
 */
export const routeStream: (path: string) => Result<Call, Refusal> = memoize(path => {
  const segments = decodeSegments(path)
  if (!segments) return failed(refuse(pathProblem(path)))
  const [, , workspace = '', word, project = ''] = segments
  if (segments.length === 4 && word === 'project') return failed(refuseMissingId('project'))
  const isKnown = segments.length === 3 || (segments.length === 5 && word === 'project')
  return isKnown ? ok({ operation: LIST_PROJECTS, workspace, project, page: '' }) : failed(refuse('not-found'))
})

const LIST_PROJECTS = OPERATIONS[1]
