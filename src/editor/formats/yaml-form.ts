import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml'
import { withoutUndefined } from '../../base/object.ts'
import { AT, DESCRIPTION, type EditorField, type FormValues, kindOf, PATH, subfields } from './field.ts'
import { canonicalColor } from './values.ts'
import { keyText, type Node, scalarText } from './yaml-source.ts'

/** The key of `files/files.yaml` and the name of the field for folders, which are not files. */
export const FOLDERS = 'folders'

/** The form value of a node; undefined if it is absent, or if the field cannot show it. */
export function readField(field: EditorField, node: Node | undefined): unknown {
  switch (kindOf(field)) {
    case 'text':
      return readText(node)
    case 'color':
      return scalarText(node) && canonicalColor(scalarText(node) ?? '')
    case 'flag':
      return readFlag(scalarText(node))
    case 'words':
      return readWords(node)
    case 'pairs':
      return isMap(node) ? readPairs(node) : undefined
    case 'object':
      return isMap(node) ? readFields(subfields(field), node) : undefined
    case 'list':
      return isSeq(node) ? node.items.flatMap((item, index) => readEntry(field, '', item, index)) : undefined
    case 'keyed':
      return isMap(node)
        ? node.items.flatMap(({ key, value }, index) => readEntry(field, keyText(key), value, index))
        : undefined
  }
}

/** The form values of the keys of a mapping. */
export function readFields(fields: readonly EditorField[], map: YAMLMap.Parsed): FormValues {
  const nodes = new Map(map.items.map(({ key, value }) => [keyText(key), value]))
  return withoutUndefined(
    Object.fromEntries(fields.map(field => [field.name, readField(field, nodes.get(field.name))])),
  )
}

/** Whether the form shows an entry of a list or of keyed entries. */
export function isEntry(field: EditorField, key: string, node: Node): boolean {
  if (kindOf(field) === 'list') return isMap(node)
  return !isSeq(node) && (key !== FOLDERS || field.name === FOLDERS)
}

/** The form values of the value of an entry. */
export function readEntryFields(field: EditorField, node: Node): FormValues {
  const fields = subfields(field)
  if (isMap(node)) return readFields(fields, node)
  const description = fields.find(({ name }) => name === DESCRIPTION)
  const text = description && readField(description, node)
  return text === undefined ? {} : { [DESCRIPTION]: text }
}

function readEntry(field: EditorField, key: string, node: Node, index: number): FormValues[] {
  if (!isEntry(field, key, node)) return []
  const path = kindOf(field) === 'keyed' ? { [PATH]: key } : undefined
  return [{ ...path, ...readEntryFields(field, node), [AT]: String(index) }]
}

/** A scalar, or a list of scalars joined with commas, if it can be split again. */
function readText(node: Node | undefined): string | undefined {
  if (!isSeq(node)) return scalarText(node)
  const words = readWords(node)
  return words?.every(word => word.trim() === word && word !== '' && !word.includes(',')) ? words.join(', ') : undefined
}

function readFlag(text: string | undefined): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}

function readWords(node: Node | undefined): string[] | undefined {
  if (!isSeq(node))
    return scalarText(node)
      ?.split(',')
      .map(word => word.trim())
  const words = node.items.flatMap(item => (isScalar(item) ? [item.source] : []))
  return words.length === node.items.length ? words : undefined
}

function readPairs(map: YAMLMap.Parsed): Record<string, string> {
  const pairs = map.items.flatMap(({ key, value }): (readonly [string, string])[] => {
    const text = scalarText(value)
    return text === undefined ? [] : [[keyText(key), text]]
  })
  return Object.fromEntries(pairs)
}
