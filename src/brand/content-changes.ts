import type { Content } from './draft.ts'
import { colorEntry, fileEntry, pageEntry, typeEntry } from './entries.ts'

/** What differs between two lists: the keys of their entries. */
type ListChanges = { added: string[]; changed: string[]; removed: string[] }

/** What differs between two contents: page and style ids, and files by path. */
export type ContentChanges = { pages: ListChanges; styles: ListChanges; files: ListChanges }

/** What has changed from one content to another; from nothing, all is added. */
export function contentChanges(before: Content | undefined, after: Content): ContentChanges {
  return {
    pages: listChanges(before?.pages, after.pages, page => page.id, pageEntry),
    styles: both(
      listChanges(before?.colors, after.colors, color => color.id, colorEntry),
      listChanges(before?.types, after.types, type => type.id, typeEntry),
    ),
    files: listChanges(before?.files, after.files, file => file.path, fileEntry),
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
  before: readonly Entry[] | undefined,
  after: readonly Entry[],
  key: (entry: Entry) => string,
  entryOf: (entry: Entry) => Entry,
): ListChanges {
  const old = new Map((before ?? []).map(entry => [key(entry), entry]))
  const current = new Map(after.map(entry => [key(entry), entry]))
  const isChanged = ([each, entry]: readonly [string, Entry]) => {
    const earlier = old.get(each)
    return earlier !== undefined && JSON.stringify(entryOf(earlier)) !== JSON.stringify(entryOf(entry))
  }
  return {
    added: [...current.keys()].filter(each => !old.has(each)),
    changed: [...current].filter(isChanged).map(([each]) => each),
    removed: [...old.keys()].filter(each => !current.has(each)),
  }
}
