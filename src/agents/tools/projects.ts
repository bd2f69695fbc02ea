import { ok, type Result } from '../../base/result.ts'
import type { Reader } from './reader.ts'
import { fittingEntries } from './reply-size.ts'

/** The published projects that the reader may see, by name. */
export async function listProjects(reader: Reader): Promise<Result<object, string>> {
  const { workspace, projects: all, addresses } = reader
  const projects = fittingEntries(
    all.values().map(record => ({ id: record.project, name: record.published.name, url: addresses.project(record) })),
  )
  return ok({
    workspace,
    total: all.length,
    projects,
    ...(projects.length < all.length && { hint: `Only the first ${projects.length} projects are listed.` }),
  })
}
