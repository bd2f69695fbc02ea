import { quote } from '../../base/text.ts'
import type { PageId } from '../../brand/ids.ts'
import { problem } from '../folder/findings.ts'
import type { ProjectReading } from '../reading.ts'
import type { PageSource } from './pages.ts'

/** Maps former page ids to their pages. Reports an alias that is also the id of a page or another page's alias. */
export function aliasOwners(
  { project, findings }: ProjectReading,
  sources: readonly PageSource[],
): Map<string, PageId> {
  const byId = new Map<string, PageSource>(sources.map(source => [source.id, source]))
  const owners = new Map<string, { source: PageSource; line: number }>()
  for (const source of sources)
    for (const { id, line } of source.notes.aliases ?? []) {
      const page = byId.get(id)
      const owner = owners.get(id)
      owners.set(id, owner ?? { source, line })
      const message = page
        ? `the alias ${quote(id)} is the id of ${page === source ? 'this page' : page.path}: remove it, or give ${page === source ? 'it' : 'that page'} another id`
        : owner && `the alias ${quote(id)} is also in ${owner.source.path}, on line ${owner.line}: keep one of the two`
      if (message !== undefined) findings.add(project.id, source.path, problem('id-taken', message, line))
    }
  return new Map(Array.from(owners, ([alias, { source }]) => [alias, source.id]))
}
