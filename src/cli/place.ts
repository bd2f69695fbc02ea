import { quote } from '../brand/quote.ts'
import type { Place } from '../publishing/place.ts'
import { UsageFailure } from './failure.ts'

/** Reads a project as people write it: `workspace/project`. */
export function parsePlace(text: string): Place {
  const [, workspace, project] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  if (workspace === undefined || project === undefined)
    throw new UsageFailure(`${quote(text)} is no project: write workspace/project, as in acme/guidelines`)
  return { workspace, project }
}

/** Reads the number of a revision; `wanted` says what may be written. */
export function parseRevision(text: string, wanted = 'its number, as housestyle history shows it'): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageFailure(`${quote(text)} is no revision: write ${wanted}`)
  return Number(text)
}
