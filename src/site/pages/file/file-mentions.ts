import { perObject } from '../../../base/object.ts'
import { folderOf, isFont } from '../../../brand/file.ts'
import type { FormatGroup } from '../../../brand/library.ts'
import type { Page } from '../../../brand/page.ts'
import type { TypeStyle } from '../../../brand/type-style.ts'
import type { Publication } from '../../../serving/publications/publications.ts'

/** The pages that show an item or link to it or to its folder, in reading order, and the type styles in its family. */
export async function mentionsOf(
  { content }: Publication,
  group: FormatGroup,
): Promise<{ pages: readonly Page[]; styles: readonly TypeStyle[] }> {
  const all = await content.pages()
  const byTarget = pagesByTarget(all, content)
  const pages = new Set(group.flatMap(({ path }) => targetsOf(path).flatMap(target => byTarget.get(target) ?? [])))
  const families = new Set(group.flatMap(file => (isFont(file) && file.metadata?.family) || []))
  const styles = families.size === 0 ? [] : await content.types()
  return {
    pages:
      pages.size < 2
        ? [...pages]
        : all
            .values()
            .filter(page => pages.has(page))
            .toArray(),
    styles: styles.filter(({ family }) => family !== undefined && families.has(family)),
  }
}

/** A path and the folders above it, except the folder of all files. */
function targetsOf(path: string): string[] {
  const targets = [path]
  for (let folder = folderOf(path); folder.includes('/'); folder = folderOf(folder)) targets.push(folder)
  return targets
}

/** The pages of a publication by the paths of files and folders that they show or link to, collected once. */
const pagesByTarget = perObject((pages: ReadonlyMap<string, Page>, { grow }: Publication['content']) => {
  const byTarget = new Map<string, Page[]>()
  for (const page of pages.values()) {
    const targets = new Set([page.cover?.file, ...page.links.map(({ to }) => to.file ?? to.folder)])
    for (const target of targets) {
      if (target === undefined) continue
      const before = byTarget.get(target)
      if (before) before.push(page)
      else byTarget.set(target, [page])
      grow(MENTION_BYTES)
    }
  }
  return byTarget
})

/** Memory per mention; its strings and pages belong to the content. */
const MENTION_BYTES = 60
