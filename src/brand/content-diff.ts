import { createTwoFilesPatch } from 'diff'
import type { Content } from './draft.ts'
import type { Page } from './page.ts'

/** How one thing differs. */
export type Change = 'added' | 'removed' | 'changed'

/** A value before and after; null where there is none. */
export type FieldChange = { from: unknown; to: unknown }

/** How a style differs, field by field. */
export type StyleChange = { id: string; change: Change; fields?: Readonly<Record<string, FieldChange>> }

/** What differs between two contents. */
export type ContentDiff = {
  name?: FieldChange
  /** `diff` is a unified diff of the page's Markdown. */
  pages: { id: string; change: Change; name?: FieldChange; diff?: string }[]
  colors: StyleChange[]
  types: StyleChange[]
  files: { path: string; change: Change }[]
}

/** Compares two contents; `textOf` gives the Markdown of a page of either. */
export async function contentDiff(
  from: Content,
  to: Content,
  textOf: { from: (page: Page) => Promise<string>; to: (page: Page) => Promise<string> },
): Promise<ContentDiff> {
  const pages: ContentDiff['pages'] = []
  for (const { id, change, before, after } of changes(from.pages, to.pages, page => page.id)) {
    const [old, current] = [before ? await textOf.from(before) : '', after ? await textOf.to(after) : '']
    const name = before && after && before.name !== after.name ? { name: { from: before.name, to: after.name } } : {}
    const diff = old === current ? {} : { diff: createTwoFilesPatch(`a/${id}.md`, `b/${id}.md`, old, current) }
    pages.push({ id, change, ...name, ...diff })
  }
  return {
    ...(from.name !== to.name && { name: { from: from.name, to: to.name } }),
    pages,
    colors: changes(from.colors, to.colors, color => color.id).map(styleChange),
    types: changes(from.types, to.types, type => type.id).map(styleChange),
    files: changes(from.files, to.files, file => file.path).map(({ id, change }) => ({ path: id, change })),
  }
}

type Entry<Item> = { id: string; change: Change; before: Item | undefined; after: Item | undefined }

function changes<Item>(from: readonly Item[], to: readonly Item[], key: (item: Item) => string): Entry<Item>[] {
  const old = new Map(from.map(item => [key(item), item]))
  const current = new Map(to.map(item => [key(item), item]))
  const ids = new Set([...current.keys(), ...old.keys()])
  return [...ids].flatMap(id => {
    const [before, after] = [old.get(id), current.get(id)]
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    return [{ id, change: before ? (after ? 'changed' : 'removed') : 'added', before, after }] satisfies Entry<Item>[]
  })
}

function styleChange({ id, change, before, after }: Entry<object>): StyleChange {
  if (!before || !after) return { id, change }
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = [...new Set([...old.keys(), ...current.keys()])]
  const differing = names.filter(name => JSON.stringify(old.get(name)) !== JSON.stringify(current.get(name)))
  const fields = differing.map(name => [name, { from: old.get(name) ?? null, to: current.get(name) ?? null }])
  return { id, change, fields: Object.fromEntries(fields) }
}
