import { isCollection, isMap, isPair, isScalar, isSeq } from 'yaml'
import { FOLDERS_KEY } from '#intake/schema/files.ts'
import { ENTRIES, type Field, PATH } from '../fields.ts'
import type { EditedText, FileKind } from '../source/edited-text.ts'

// The names of the controls of a form, and the values of YAML that belong to them. A name is the path of its value in the
// file, such as `/title`, or `/items/3/hex` for the `hex` of the fourth entry of a list.

/** The texts of a form, as a browser sent them, by the names of its controls. */
export type Sent = ReadonlyMap<string, readonly string[]>

/** The form of a file that was opened, as it was sent. */
export type SentForm = { kind: FileKind; opened: EditedText; sent: Sent }

/** The name of the control with the text of a page, or of a whole file. */
export const BODY = '/body'
/** The name of the boxes whose values are the names of fields and entries to remove. */
export const REMOVE = 'remove'
/** The place of a new entry of a list. */
export const NEW = 'new'

/** The name of a control in a mapping or list (`parent`, empty for the file itself), by its key or index. */
export function nameIn(parent: string, key: string | number): string {
  return `${parent}/${key}`
}

/** The texts of a form. A control may be sent several times; browsers end lines with CR LF, files with LF. */
export function sentTexts(form: URLSearchParams): Sent {
  const fieldsByName = Map.groupBy(form, ([name]) => name)
  const withLineFeeds = (text: string) => text.replaceAll(/\r\n?/g, '\n')
  return new Map(Array.from(fieldsByName, ([name, fields]) => [name, fields.map(([, text]) => withLineFeeds(text))]))
}

/**
 * The node of YAML that a field shows, in an item of YAML; undefined if there is none. The item is a mapping, or a pair of a
 * mapping of entries, such as `logo.svg: { title: Logo }` in `files.yaml`.
 */
export function partOf({ name }: Pick<Field, 'name'>, item: unknown): unknown {
  const node = isPair(item) ? item.value : item
  // The path of an entry is the key of its pair.
  if (name === PATH && isPair(item)) return item.key
  // The field of all entries shows the whole file.
  if (name === ENTRIES) return node
  // An entry may be only its description: `logo.svg: Our logo`.
  if (name === 'description' && isPair(item) && isScalar(node)) return node
  return isMap(node) ? node.get(name, true) : undefined
}

/**
 * The entries of a list that a form shows, with their indexes: the mappings of a list, or the pairs of a mapping, without the
 * pair of all folders, which has its own field. Entries of any other form stay unchanged in the file.
 */
export function entriesOf({ kind }: Field, node: unknown): { at: number; item: unknown }[] {
  const items: readonly unknown[] = isCollection(node) ? node.items : []
  const isShown = (item: unknown) =>
    kind === 'list' ? isMap(item) : isPair(item) && textOf(item.key) !== FOLDERS_KEY && !isSeq(item.value)
  return items.map((item, at) => ({ at, item })).filter(({ item }) => isShown(item))
}

/** The text of a scalar without blank space around it; empty for everything else. */
export function textOf(node: unknown): string {
  return isScalar(node) && node.value !== null ? `${node.value}`.trim() : ''
}

/** The words of a list, or of a string with commas or lines; undefined for mappings, and for lists of other values. */
export function wordsIn(node: unknown): string[] | undefined {
  if (isSeq(node)) return node.items.every(isScalar) ? node.items.map(textOf) : undefined
  return isMap(node) ? undefined : wordsOf(textOf(node), /[,\n]/)
}

/** The parts of a text between separators, without blank space around them, and without empty ones. */
export function wordsOf(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map(word => word.trim())
    .filter(word => word !== '')
}
