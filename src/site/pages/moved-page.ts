import { inSteps } from '../../base/steps.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import type { Guide } from '../guide/guide.ts'

/**
 * The path of the page that once stood at a path below the address of its project, as in `archive/cover`; of its
 * Markdown, if the path ends with `.md`. Undefined if no page says that it stood there.
 */
export async function movedPath({ publication, paths }: Guide, below: string): Promise<string | undefined> {
  const [, id = '', extension = ''] = /^(.*?)(\.md)?$/s.exec(below) ?? []
  const page = (await aliasesOf(publication)).get(id)
  return page === undefined ? undefined : `${paths.page(publication.record, page)}${extension}`
}

/** The pages of a content by the ids that they had before; made once, and kept as long as it. */
async function aliasesOf({ content }: Publication): Promise<ReadonlyMap<string, string>> {
  const pages = await content.pages()
  const known = kept.get(pages)
  if (known) return known
  const pending = inSteps(pages.values(), idsOf).then(lists => {
    const aliases = new Map(lists.flat())
    content.grow(aliases.size * ALIAS_BYTES)
    return aliases
  })
  kept.set(pages, pending)
  return pending
}

const kept = new WeakMap<object, Promise<ReadonlyMap<string, string>>>()
/** The memory of an alias beside its text, which the page has. */
const ALIAS_BYTES = 60

function idsOf({ id, aliases = [] }: { id: string; aliases?: readonly string[] }): (readonly [string, string])[] {
  return aliases.map(alias => [alias, id] as const)
}
