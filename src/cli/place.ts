import { quote } from '../base/text.ts'
import type { ProjectRef } from '../publishing/project-ref.ts'
import { CommandFailure } from './failure.ts'

/** Reads a project as people write it: `workspace/project`. */
export function parseProjectRef(text: string): ProjectRef {
  const [, workspace, project] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  if (workspace === undefined || project === undefined)
    throw new CommandFailure('usage', `${quote(text)} is no project: write workspace/project, as in acme/guidelines`)
  return { workspace, project }
}

/** Reads the number of a revision; `wanted` says what may be written. */
export function parseRevision(text: string, wanted = 'its number, as housestyle history shows it'): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CommandFailure('usage', `${quote(text)} is no revision: write ${wanted}`)
  return Number(text)
}
