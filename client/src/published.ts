import { HousestyleError } from './error.ts'
import type { CurrentOperations, Reply, RequestOptions, RevisionOperations } from './operations.ts'

/** A published revision of a project. */
export type Version = { revision: number; snapshot: string }

/** The operations that a poll may use. */
export type PollingClient = CurrentOperations & RevisionOperations

/** Reads the published versions; unless `isKnown`, a missing project is an error. */
export type Poll = (isKnown: boolean) => Promise<Map<string, Version>>

/**
 * Reads the version of one project, or of all projects in the token's list, from any reply that the token may read.
 * Most requests get 304.
 */
export function publishedPoll(
  client: PollingClient,
  project: string | undefined,
  signal: AbortSignal | undefined,
): Poll {
  const options = { signal }
  const read = readableReply(client)
  return async isKnown => {
    const versions = new Map<string, Version>()
    const listed = project === undefined ? (await client.listProjects(options)).data.projects : [{ id: project }]
    for (const { id } of listed) {
      const found = await read(id, options).catch(error => missing(error, isKnown || project === undefined))
      if (found) versions.set(id, { revision: found.revision, snapshot: found.snapshot })
    }
    return versions
  }
}

/** Gets the first of four replies that the token has a scope for. Throws the last 403 if there is none. */
function readableReply(client: PollingClient) {
  const operations = [client.getProject, client.getStyles, client.listPages, client.listFiles] as const
  let at = 0
  return async (project: string, options: RequestOptions): Promise<Reply<unknown>> => {
    for (;;) {
      try {
        return await (operations[at] ?? client.listFiles)(project, options)
      } catch (error) {
        if (!isStatus(error, 403) || at >= operations.length - 1) throw error
        at++
      }
    }
  }
}

/** A project that is not published has no version. */
function missing(error: unknown, isExpected: boolean): undefined {
  if (!isExpected || !isStatus(error, 404)) throw error
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof HousestyleError && error.status === status
}
