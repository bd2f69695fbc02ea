import type { Color } from '#brand/color.ts'
import { byId, changedEntries, isReordered } from '#brand/content-diff.ts'
import type { BrandFile } from '#brand/file.ts'
import type { Page } from '#brand/page.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import type { Publication } from './publications.ts'

/** The visible differences between two publications; each list has the order of the guide. */
export type PublicationChanges = {
  pages: Changes<Page>
  colors: Changes<Color>
  types: Changes<TypeStyle>
  files: Changes<BrandFile>
}

/** The entries that differ: changed ones as they were and as they are. */
export type Changes<Item> = { added: Item[]; changed: Change<Item>[]; removed: Item[] }

export type Change<Item> = { from: Item; to: Item }

/** Compares two publications, the earlier one first. */
export async function publicationChanges(
  { content: before }: Publication,
  { content: after }: Publication,
): Promise<PublicationChanges> {
  return {
    pages: changesOf(await before.pages(), await after.pages(), visiblePage),
    colors: changesOf(byId(await before.colors()), byId(await after.colors()), color => color),
    types: changesOf(byId(await before.types()), byId(await after.types()), style => style),
    files: changesOf(await before.files(), await after.files(), file => file),
  }
}

function visiblePage({ name, description, content, cover, ground, wide, nav }: Page): unknown {
  return [name, description, content, cover, ground, wide, nav]
}

export async function isOrderChanged(
  { content: before }: Publication,
  { content: after }: Publication,
): Promise<boolean> {
  return isReordered([...(await before.pages()).values()], [...(await after.pages()).values()])
}

/** The values of `project.yaml` about the whole guide. */
export async function settingsOf({ published, content }: Publication): Promise<object> {
  return { name: published.name, lang: await content.lang(), ...(await content.appearance()) }
}

function changesOf<Item>(
  from: ReadonlyMap<string, Item>,
  to: ReadonlyMap<string, Item>,
  visibleParts: (item: Item) => unknown,
): Changes<Item> {
  const changes: Changes<Item> = { added: [], changed: [], removed: [] }
  for (const { before, after } of changedEntries(from, to, visibleParts)) {
    if (before !== undefined && after !== undefined) changes.changed.push({ from: before, to: after })
    else if (before !== undefined) changes.removed.push(before)
    else if (after !== undefined) changes.added.push(after)
  }
  return changes
}
