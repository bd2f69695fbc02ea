import { isCollection, isMap, isPair, isScalar, isSeq } from 'yaml'
import { FOLDERS_KEY } from '#intake/schema/files.ts'
import { ENTRIES, type Field, PATH } from '../fields.ts'
import type { EditedText, FileKind } from '../source/edited-text.ts'

/** The texts of a form by the names of its controls: paths such as `/items/3/hex`. */
export type Sent = ReadonlyMap<string, readonly string[]>

/** The form of a file that was opened, as it was sent. */
export type SentForm = { kind: FileKind; opened: EditedText; sent: Sent }

/** The name of the control with the text of a page, or of a whole file. */
export const BODY = '/body'
/** The name of the boxes whose values are the names of fields and entries to remove. */
export const REMOVE = 'remove'
/** The place of a new entry of a list. */
export const NEW = 'new'

export function nameIn(parent: string, key: string | number): string {
  return `${parent}/${key}`
}

export function sentTexts(form: URLSearchParams): Sent {
  const names = Map.groupBy(form, ([name]) => name)
  return new Map(Array.from(names, ([name, all]) => [name, all.map(([, text]) => text.replaceAll(/\r\n?/g, '\n'))]))
}

/** The YAML of a field in a mapping, or in a pair: its key, its value or a part of this. */
export function partOf({ name }: Pick<Field, 'name'>, item: unknown): unknown {
  const node = isPair(item) ? item.value : item
  if (name === PATH && isPair(item)) return item.key
  if (name === ENTRIES || (name === 'description' && isPair(item) && isScalar(node))) return node
  return isMap(node) ? node.get(name, true) : undefined
}

/** The entries of a list that a form shows, with their indexes. */
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

/** The words of a list, or of a string with commas; undefined for other values. */
export function wordsIn(node: unknown): string[] | undefined {
  if (isSeq(node)) return node.items.every(isScalar) ? node.items.map(textOf) : undefined
  return isMap(node) ? undefined : wordsOf(textOf(node), /[,\n]/)
}

export function wordsOf(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map(word => word.trim())
    .filter(word => word !== '')
}
