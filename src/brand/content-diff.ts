import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { pick } from '#platform/base/object.ts'
import { APPEARANCE_FIELDS } from './appearance.ts'
import type { Content } from './draft.ts'
import { keysOf } from './fields.ts'
import type { Page } from './page.ts'

/** The changed entries between two contents: first those of the later content, in its order, then the removed ones. */
export type ContentDiff = { [Key in Setting]?: FieldChange } & {
  /** `diff` is a unified diff of the page's Markdown, absent if the Markdown is the same. */
  pages: (EntryChange & { diff?: string })[]
  colors: EntryChange[]
  types: EntryChange[]
  /** Their ids are their paths. */
  files: EntryChange[]
  /** The lists whose common entries have a different order. */
  reordered: ('pages' | 'colors' | 'types')[]
}

/** The changed fields of one page, style or file. */
export type EntryChange = { id: string; change: Change; fields: Readonly<Record<string, FieldChange>> }

export type Change = 'added' | 'removed' | 'changed'

/** A value before and after; null if there is none. */
export type FieldChange = { from: unknown; to: unknown }

export type ReadMarkdown = (page: Page) => Promise<string>

/** Compares two contents; `readPage` reads the pages of each one. */
export async function contentDiff(
  from: Content,
  to: Content,
  readPage: { from: ReadMarkdown; to: ReadMarkdown },
): Promise<ContentDiff> {
  const pages: ContentDiff['pages'] = []
  for (const entry of changedEntries(byId(from.pages), byId(to.pages))) {
    const { id, before, after } = entry
    const oldText = before && (await readPage.from(before))
    const currentText = after && (await readPage.to(after))
    const change = entryChange(entry)
    pages.push(oldText === currentText ? change : { ...change, diff: unifiedDiff(id, oldText, currentText) })
  }
  const lists = ['pages', 'colors', 'types'] as const
  return {
    ...fieldChanges(settingsOf(from), settingsOf(to)),
    pages,
    colors: changedEntries(byId(from.colors), byId(to.colors)).map(entryChange),
    types: changedEntries(byId(from.types), byId(to.types)).map(entryChange),
    files: changedEntries(byPath(from.files), byPath(to.files)).map(entryChange),
    reordered: lists.filter(list => isReordered(from[list], to[list])),
  }
}

/**
 * A unified diff for `patch` and `git apply`; undefined means that the page does not exist. With more than `maxEdits`
 * changed lines, a page counts as replaced, because finding the shortest edit takes quadratic time.
 */
export function unifiedDiff(id: string, old?: string, current?: string, maxEdits = MAX_EDITS): string {
  const from = old === undefined ? '/dev/null' : `a/${id}.md`
  const to = current === undefined ? '/dev/null' : `b/${id}.md`
  const before = old ?? ''
  const after = current ?? ''
  const patch = createTwoFilesPatch(from, to, before, after, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: maxEdits,
  })
  return patch ?? [`--- ${from}`, `+++ ${to}`, ...replacement(before, after), ''].join('\n')
}

/** The lines of a unified diff, starting with its first hunk. */
export function hunkLines(diff: string): string[] {
  const lines = diff.split('\n').slice(0, -1)
  const at = lines.findIndex(line => line.startsWith('@@'))
  return at === -1 ? [] : lines.slice(at)
}

const MAX_EDITS = 4000

function replacement(before: string, after: string): string[] {
  const removed = markedLines('-', before)
  const added = markedLines('+', after)
  return [`@@ -${removed.range} +${added.range} @@`, ...removed.lines, ...added.lines]
}

function markedLines(mark: string, text: string): { range: string; lines: string[] } {
  if (text === '') return { range: '0,0', lines: [] }
  const lines = text.replace(/\n$/, '').split('\n')
  const end = text.endsWith('\n') ? [] : ['\\ No newline at end of file']
  return { range: `1,${lines.length}`, lines: [...lines.map(line => mark + line), ...end] }
}

type ChangedEntry<Item> = { id: string; before: Item | undefined; after: Item | undefined }

/** The entries of two maps that differ in some of their parts: first in the order of the later map, then the removed ones. */
export function changedEntries<Item>(
  from: ReadonlyMap<string, Item>,
  to: ReadonlyMap<string, Item>,
  partsOf: (item: Item) => unknown = item => item,
): ChangedEntry<Item>[] {
  const text = (item: Item | undefined) => item && JSON.stringify(partsOf(item))
  const ids = new Set([...to.keys(), ...from.keys()])
  return [...ids].flatMap(id => {
    const [before, after] = [from.get(id), to.get(id)]
    return text(before) === text(after) ? [] : [{ id, before, after }]
  })
}

/** The styles or pages of a list, keyed by id. */
export function byId<Item extends { id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map(item => [item.id, item]))
}

function byPath<Item extends { path: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map(item => [item.path, item]))
}

export function changeOf({ before, after }: ChangedEntry<unknown>): Change {
  if (before === undefined) return 'added'
  return after === undefined ? 'removed' : 'changed'
}

function entryChange(entry: ChangedEntry<object>): EntryChange {
  const { id, before = {}, after = {} } = entry
  return { id, change: changeOf(entry), fields: fieldChanges(before, after) }
}

/** The fields with different values, those of the earlier object first. */
export function fieldChanges(before: object, after: object): Record<string, FieldChange> {
  const old = new Map(Object.entries(before))
  const current = new Map(Object.entries(after))
  const names = [...new Set([...old.keys(), ...current.keys()])]
  const differing = names.filter(name => JSON.stringify(old.get(name)) !== JSON.stringify(current.get(name)))
  return Object.fromEntries(
    differing.map(name => [name, { from: old.get(name) ?? null, to: current.get(name) ?? null }]),
  )
}

/** The fields that describe the whole guide. */
const SETTINGS = ['name', 'lang', ...keysOf(APPEARANCE_FIELDS)] as const

type Setting = (typeof SETTINGS)[number] | 'translationOf' | 'inherits'

function settingsOf(content: Content): Partial<Record<Setting, unknown>> {
  const { of: translationOf, inherits } = content.translation ?? {}
  return { ...pick(content, SETTINGS), translationOf, inherits: inherits?.join(', ') || undefined }
}

/** Whether the entries that two lists share are in another order. */
export function isReordered(from: readonly { id: string }[], to: readonly { id: string }[]): boolean {
  const old = new Set(from.map(({ id }) => id))
  const current = new Set(to.map(({ id }) => id))
  const before = [...old].filter(id => current.has(id))
  const after = [...current].filter(id => old.has(id))
  return before.some((id, at) => id !== after[at])
}
