import type { FieldTable } from '../brand/fields.ts'
import type { Schema } from '../intake/schema/schema.ts'
import { DESCRIPTION, HEX, NAME } from '../intake/schema/values.ts'
import type { EditorField } from './formats/field.ts'

/** The fields of a form: one for each key of a mapping, in the order of its table, except that names come first. */
export function fieldsOf(
  properties: Readonly<Record<string, Schema>>,
  { required = [], files = {} }: { required?: readonly string[]; files?: FilePlaces } = {},
): EditorField[] {
  const rankOf = (name: string) => RANKS[name] ?? 2
  const entries = Object.entries(properties).sort(([a], [b]) => rankOf(a) - rankOf(b))
  return entries.map(([name, schema]) => ({
    name,
    label: labelOf(name),
    ...(schema.description !== undefined && { hint: hintOf(schema) }),
    required: required.includes(name),
    ...controlOf(schema, files[name], files),
  }))
}

const RANKS: Readonly<Record<string, number>> = { name: 0, title: 0, hex: 1, id: 3 }

/** The folder from which a file is chosen, and the part of its path that the value begins with. */
export type FilePlace = { media_folder: string; public_folder: string }

/** The places of the keys whose values are paths of files. */
export type FilePlaces = Readonly<Record<string, FilePlace>>

/** The keys of a table whose values are paths of files, all below one folder. */
export function filePlaces(table: FieldTable, place: FilePlace): FilePlaces {
  const keys = Object.entries(table).filter(([, { kind }]) => kind === 'file')
  return Object.fromEntries(keys.map(([key]) => [key, place]))
}

/** `variantOf` → `Variant of`. */
function labelOf(key: string): string {
  const words = key.replace(/(?<=[a-z])(?=[A-Z0-9])/g, ' ').toLowerCase()
  return LABELS[key] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const LABELS: Readonly<Record<string, string>> = {
  id: 'ID',
  rgb: 'RGB',
  cmyk: 'CMYK',
  pms: 'Pantone',
  pms2: 'Pantone, second reference',
  ral: 'RAL',
  url: 'Address',
  lang: 'Language',
  nav: 'Navigation',
  not: 'Instead of',
}

/** The description, with an example that fits into one line. */
function hintOf({ description = '', examples = [] }: Schema): string {
  const example = examples.find(each => typeof each !== 'object')
  return example === undefined ? description : `${description} Example: ${example}`
}

type Control = Pick<EditorField, 'widget'> & Partial<EditorField>

function controlOf(schema: Schema, place: FilePlace | undefined, files: FilePlaces): Control {
  if (place) return { widget: 'file', choose_url: false, ...place }
  if (schema.pattern === HEX.pattern) return { widget: 'color', allowInput: true }
  const forms = [schema, ...(schema.anyOf ?? [])]
  const object = forms.find(form => form.properties ?? form.additionalProperties)
  if (object?.properties) {
    const fields = fieldsOf(object.properties, { ...object, files })
    return { widget: 'object', collapsed: fields.length > MAX_OPEN, fields }
  }
  if (object) return { widget: 'keyvalue', key_label: 'Name', value_label: 'Value' }
  return schema.type === 'array' ? listControl(schema) : (choiceControl(schema) ?? textControl(forms))
}

/** A group of more fields opens on demand. */
const MAX_OPEN = 12

function listControl({ items = {} }: Schema): Control {
  const { properties } = items
  if (!properties) return { widget: 'list', field: { name: 'item', label: 'Item', ...textControl([items]) } }
  const [first = 'name'] = Object.keys(properties)
  return { widget: 'list', ...ENTRIES, summary: `{{${first}}}`, fields: [...fieldsOf(properties, items), AT] }
}

/** The look of a list of entries. */
export const ENTRIES = { summary: '{{name}}', label_singular: 'entry' }

/** The hidden place of an entry in the file, by which it is recognised after it was renamed and moved. */
export const AT: EditorField = { name: 'at', label: 'Place', widget: 'hidden' }

/** A switch for a flag that is off by default, otherwise a choice of one or several words. */
function choiceControl({ enum: words, items, default: usual }: Schema): Control | undefined {
  if (words?.includes(true) && usual === false) return { widget: 'boolean' }
  if (words) return { widget: 'select', options: [...new Set(words.map(String))] }
  return items?.enum ? { widget: 'select', multiple: true, options: items.enum.map(String) } : undefined
}

/** One line or several, with a pattern if the schema asks for more than a line of text. */
function textControl(forms: readonly Schema[]): Control {
  if (forms.some(({ pattern }) => pattern === DESCRIPTION.pattern)) return { widget: 'text' }
  const checked = forms.find(({ pattern }) => pattern !== undefined && pattern !== NAME.pattern)
  if (!checked || forms.some(({ pattern }) => pattern === NAME.pattern)) return { widget: 'string' }
  const words = forms.flatMap(form => form.enum ?? [])
  const pattern = words.length > 0 ? `^(?:${words.join('|')})$|${checked.pattern}` : checked.pattern
  return { widget: 'string', pattern: [`/${pattern}/u`, checked.patternErrorMessage ?? ''] }
}
