import { perObject } from '#platform/base/object.ts'
import type { Request } from '#platform/exchange/message.ts'
import { covers } from '#serving/access/session/rights.ts'
import type { WorkspaceState } from '#serving/pointers/workspace-state.ts'
import type { OpenPublication, Publication } from '#serving/publications/publications.ts'
import type { Access } from './authorize.ts'
import type { Site } from './site.ts'

/**
 * The original of a guide and its translations, without the guide itself, that a reader may see; the original first. The
 * pages of a public guide are the same for everyone, because any cache may keep them.
 */
export async function languagesOf(
  { service, copy }: Site,
  request: Request,
  { publication, person }: Pick<Access, 'publication' | 'person'>,
  isForAll: boolean,
): Promise<readonly Publication[]> {
  const { record, content } = publication
  const { workspace, project } = record
  const state = copy ? undefined : await service.pointers.workspace(workspace)
  if (!state) return []
  const translations = await translationsIn(state, service.openPublication)
  const original = (await content.translation())?.of ?? project
  const shown: Publication[] = []
  for (const id of [original, ...(translations.get(original) ?? [])]) {
    const other = id === project ? undefined : service.openPublication(state.projects.get(id))
    if (other && (await maySee(other))) shown.push(other)
  }
  return shown

  async function maySee({ record, published }: Publication): Promise<boolean> {
    if (published.visibility === 'public') return true
    if (isForAll || publication.published.visibility === 'public') return false
    if (person) return covers(person, record)
    const instance = async () => record.instance
    return (await service.shares.admission(request, workspace, record.project, instance)) !== undefined
  }
}

/** The ids of the published translations in a workspace, by the id of their original. */
const translationsIn = perObject(async (state: WorkspaceState, open: OpenPublication) => {
  const translations = new Map<string, string[]>()
  for (const record of state.sound) {
    const of = (await open(record)?.content.translation())?.of
    if (of !== undefined) translations.set(of, [...(translations.get(of) ?? []), record.project])
  }
  return translations
})
