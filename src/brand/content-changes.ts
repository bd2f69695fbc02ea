import type { Content } from './draft.ts'

/** What differs between two lists: the keys of their entries. */
type ListChanges = { added: string[]; changed: string[]; removed: string[] }

/** What differs between two contents: page and style ids, and files by path. */
export type ContentChanges = { pages: ListChanges; styles: ListChanges; files: ListChanges }

/** What has changed from one content to another; from nothing, all is added. */
export function contentChanges(before: Content | undefined, after: Content): ContentChanges {
  return {
    pages: listChanges(before?.pages ?? [], after.pages, page => page.id),
    styles: both(
      listChanges(before?.colors ?? [], after.colors, color => color.id),
      listChanges(before?.types ?? [], after.types, type => type.id),
    ),
    files: listChanges(before?.files ?? [], after.files, file => file.path),
  }
}

function both(a: ListChanges, b: ListChanges): ListChanges {
  return {
    added: [...a.added, ...b.added],
    changed: [...a.changed, ...b.changed],
    removed: [...a.removed, ...b.removed],
  }
}

function listChanges<Entry>(
  before: readonly Entry[],
  after: readonly Entry[],
  key: (entry: Entry) => string,
): ListChanges {
  const old = new Map(before.map(entry => [key(entry), JSON.stringify(entry)]))
  const current = new Map(after.map(entry => [key(entry), JSON.stringify(entry)]))
  const keys = [...current.keys()]
  return {
    added: keys.filter(each => !old.has(each)),
    changed: keys.filter(each => old.has(each) && old.get(each) !== current.get(each)),
    removed: [...old.keys()].filter(each => !current.has(each)),
  }
}
