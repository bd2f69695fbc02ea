import { perObject } from '../../base/object.ts'
import type { Page } from '../../brand/page.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import type { Guide } from '../guide/guide.ts'

/**
 * The current path of the page with a former path below its project, such as `archive/cover`, or of its Markdown if the
 * path ends with `.md`. Undefined if no page has this alias.
 */
export async function movedPath({ publication, paths }: Guide, below: string): Promise<string | undefined> {
  const [, id = '', extension = ''] = /^(.*?)(\.md)?$/s.exec(below) ?? []
  const page = (await aliasesOf(publication)).get(id)
  return page === undefined ? undefined : `${paths.page(publication.record, page)}${extension}`
}

/** The pages of a publication keyed by alias, collected once and cached with its content. */
async function aliasesOf({ content }: Publication): Promise<ReadonlyMap<string, string>> {
  return aliasesIn(await content.pages(), content)
}

const aliasesIn = perObject((pages: ReadonlyMap<string, Page>, { grow }: Publication['content']) => {
  const aliases = new Map(pages.values().flatMap(idsOf))
  grow(aliases.size * ALIAS_BYTES)
  return aliases
})
/** Memory per alias, without its text, which the page holds. */
const ALIAS_BYTES = 60

function idsOf({ id, aliases = [] }: { id: string; aliases?: readonly string[] }): (readonly [string, string])[] {
  return aliases.map(alias => [alias, id] as const)
}
