import { THEME_FIELDS } from '#brand/appearance.ts'
import { PRINT_KEYS, PRINT_VALUES } from '#brand/color.ts'
import type { EDITED_FILES } from '#brand/edit-link.ts'
import type { FieldTable } from '#brand/fields.ts'
import { FILE_FIELDS } from '#brand/file.ts'
import type { FrontMatter } from '#intake/pages/front-matter.ts'
import { COLORS } from '#intake/schema/colors.ts'
import { FILES, FOLDERS_KEY } from '#intake/schema/files.ts'
import { number } from '#intake/schema/numbers.ts'
import { PROJECT_KEYS } from '#intake/schema/project.ts'
import { type Schema, withDescription } from '#intake/schema/schema.ts'
import { TYPES } from '#intake/schema/types.ts'
import { DESCRIPTION, FLAG, HEX, NAME, PAGE_ID, SHORT_TEXT } from '#intake/schema/values.ts'
import { AT, BODY, type EditorField, ENTRIES } from './formats/field.ts'

/**
 * The fields of a page, or of a YAML file of a project, from the schemas that `check` uses: a new key has its field at
 * once, and nothing is required that `check` does not require.
 */
export function editedFields(kind: 'page' | keyof typeof EDITED_FILES): EditorField[] {
  return FIELDS[kind]()
}

const FIELDS: Readonly<Record<'page' | keyof typeof EDITED_FILES, () => EditorField[]>> = {
  page: pageFields,
  colors: () => entriesOf(COLORS),
  types: () => entriesOf(TYPES),
  files: fileLists,
  project: () => fieldsOf(PROJECT_KEYS, { files: new Set([...fileKeys(THEME_FIELDS), 'socialImage']) }),
}

/** The text of a page follows its title. */
function pageFields(): EditorField[] {
  const text = { name: BODY, label: 'Text', widget: 'markdown' }
  const [title, ...others] = fieldsOf(PAGE_KEYS)
  return title ? [title, text, ...others] : [text]
}

function entriesOf({ items = {} }: Schema): EditorField[] {
  const { properties = {}, ...rest } = items
  return [listField(ENTRIES, 'Entries', fieldsOf(properties, rest))]
}

/** The files and folders of `files.yaml`, whose keys become the field `path`. */
function fileLists(): EditorField[] {
  const path = { name: 'path', label: 'Path', required: true, widget: 'string' }
  const folders = FILES.properties?.[FOLDERS_KEY]?.additionalProperties || {}
  const file = FILES.additionalProperties || {}
  const hint =
    'The path of the file below files/ or pages/, a pattern, or a folder with / at its end. Examples: logo/acme.svg, logo/*.png, logo/white/'
  const hintOfFolder = 'The path of the folder below files/. Example: logo'
  const fields = fieldsOf(file.properties ?? {}, { files: fileKeys(FILE_FIELDS) })
  return [
    listField(ENTRIES, 'Files', [{ ...path, hint }, ...fields]),
    listField(FOLDERS_KEY, 'Folders of the library', [
      { ...path, hint: hintOfFolder },
      ...fieldsOf(folders.properties ?? {}),
    ]),
  ]
}

function listField(name: string, label: string, fields: readonly EditorField[]): EditorField {
  return { name, label, widget: 'list', fields: [...fields, PLACE] }
}

/** The hidden place of an entry in the file, by which it is recognised after it was renamed and moved. */
const PLACE: EditorField = { name: AT, widget: 'hidden' }

/** The keys of the front matter of a page. A `cover` that is a mapping is kept. */
const PAGE_KEYS = {
  title: withDescription(
    NAME,
    'The name of the page. Default: the first heading, else the name of the file.',
    'Our logo',
  ),
  description: withDescription(DESCRIPTION, 'A description of the page in one or two sentences.'),
  order: withDescription(number({ max: 1_000_000 }), 'The place of the page in lists: lower numbers come first.', 10),
  nav: withDescription(SHORT_TEXT, 'A short name for the navigation.', 'Logo'),
  cover: withDescription(
    NAME,
    'The picture at the head of the page: the path of a picture or film, or the id of a colour.',
    '../files/images/bench.jpg',
  ),
  ground: withDescription(NAME, 'The id of the background colour of the title.', 'paper'),
  wide: withDescription(
    { ...FLAG, default: false },
    'Leaves out the list of headings, so that the page is as wide as its header.',
  ),
  id: withDescription(PAGE_ID, 'The id of the page in its address. Default: from the path of its file.', 'logo/misuse'),
  aliases: withDescription({ type: 'array', items: NAME }, 'Former ids of the page; their addresses redirect to it.', [
    'archive/2019/cover',
  ]),
} as const satisfies Record<Exclude<keyof FrontMatter, 'translated'>, Schema>

/** The fields of a form: one for each key of a mapping, in the order of its table, except that names come first. */
function fieldsOf(
  properties: Readonly<Record<string, Schema>>,
  { required = [], files = new Set() }: { required?: readonly string[]; files?: ReadonlySet<string> } = {},
): EditorField[] {
  const rankOf = (name: string) => RANKS[name] ?? 2
  const entries = Object.entries(properties).sort(([a], [b]) => rankOf(a) - rankOf(b))
  return entries.map(([name, schema]) => ({
    name,
    label: labelOf(name),
    ...(schema.description !== undefined && { hint: hintOf(schema) }),
    required: required.includes(name),
    ...(files.has(name) ? { widget: 'file' } : controlOf(schema, files)),
  }))
}

const RANKS: Readonly<Record<string, number>> = { name: 0, title: 0, hex: 1, id: 3 }

/** The keys of a table whose values are paths of files. */
function fileKeys(table: FieldTable): Set<string> {
  return new Set(Object.keys(table).filter(key => table[key]?.kind === 'file'))
}

/** `variantOf` → `Variant of`. */
function labelOf(key: string): string {
  const words = key.replace(/(?<=[a-z])(?=[A-Z0-9])/g, ' ').toLowerCase()
  return LABELS[key] ?? PRINT_LABELS.get(key) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** The labels of print values on tiles. */
const PRINT_LABELS: ReadonlyMap<string, string> = new Map(PRINT_KEYS.map(key => [key, PRINT_VALUES[key].label]))

const LABELS: Readonly<Record<string, string>> = {
  pms: 'Pantone',
  pms2: 'Pantone 2',
  id: 'ID',
  rgb: 'RGB',
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

type Control = Omit<EditorField, 'name' | 'label' | 'hint' | 'required'>

function controlOf(schema: Schema, files: ReadonlySet<string>): Control {
  if (schema.pattern === HEX.pattern) return { widget: 'color' }
  const forms = [schema, ...(schema.anyOf ?? [])]
  const object = forms.find(form => form.properties ?? form.additionalProperties)
  if (object?.properties) return { widget: 'object', fields: fieldsOf(object.properties, { ...object, files }) }
  if (object) return { widget: 'keyvalue' }
  return schema.type === 'array' ? listControl(schema) : (choiceControl(schema) ?? textControl(forms))
}

function listControl({ items = {} }: Schema): Control {
  const { properties } = items
  return properties ? { widget: 'list', fields: [...fieldsOf(properties, items), PLACE] } : { widget: 'list' }
}

/** A switch for a flag that is off by default, otherwise a choice of one or several words. */
function choiceControl({ enum: words, items, default: usual }: Schema): Control | undefined {
  if (words?.includes(true) && usual === false) return { widget: 'boolean' }
  if (words) return { widget: 'select', options: [...new Set(words.map(String))] }
  return items?.enum ? { widget: 'select', multiple: true, options: items.enum.map(String) } : undefined
}

/** One line or several. */
function textControl(forms: readonly Schema[]): Control {
  return { widget: forms.some(({ pattern }) => pattern === DESCRIPTION.pattern) ? 'text' : 'string' }
}
