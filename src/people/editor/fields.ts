import type { PROJECT_FIELDS, SCALE_FIELDS, THEME_FIELDS } from '#brand/appearance.ts'
import { type COLOR_FIELDS, PRINT_KEYS, type PrintKey, valueName } from '#brand/color.ts'
import type { FILE_FIELDS } from '#brand/file.ts'
import { PANTONE_KEYS } from '#brand/styles/pantone.ts'
import type { TYPE_FIELDS } from '#brand/type-style.ts'
import type { FrontMatter } from '#intake/pages/front-matter.ts'
import { COLORS } from '#intake/schema/colors.ts'
import { FILES, FOLDERS_KEY } from '#intake/schema/files.ts'
import { number } from '#intake/schema/numbers.ts'
import {
  type FOOTER_LINK_KEYS,
  type LINT_KEYS,
  type OFFICE_KEYS,
  PROJECT_KEYS,
  type PUBLISHING_KEYS,
  type WORD_KEYS,
} from '#intake/schema/project.ts'
import { type Schema, withDescription } from '#intake/schema/schema.ts'
import { TYPES } from '#intake/schema/types.ts'
import { DESCRIPTION, FLAG, HEX, NAME, PAGE_ID, SHORT_TEXT } from '#intake/schema/values.ts'
import { EnglishText, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import type { FileKind } from './source/edited-text.ts'

/** A field of a form. */
export type Field = { name: string; label: Word; hint?: Word | undefined; isRequired: boolean } & Control

/**
 * A control: of one line, of a Pantone reference, of a text, of a list of words, of pairs, of one or several `options`; or the `fields` of a
 * mapping, of a list of mappings, or of the entries of a mapping, whose field `path` is their key.
 */
type Control = {
  kind:
    | 'line'
    | 'text'
    | 'color'
    | 'pantone'
    | 'flag'
    | 'choice'
    | 'choices'
    | 'words'
    | 'pairs'
    | 'object'
    | 'list'
    | 'keyed'
  fields?: readonly Field[]
  options?: readonly string[]
}

/** The field of a whole file that is a list, or a mapping of entries. */
export const ENTRIES = 'items'
/** The field of an entry with its key. */
export const PATH = 'path'

/** The words for keys; a print value without a word has the name of its system. */
type Labels = Readonly<Record<Exclude<LabelledKey, PrintKey | typeof OTHER_NAME>, Word>>

type LabelledKey =
  | keyof (typeof COLOR_FIELDS & typeof TYPE_FIELDS & typeof FILE_FIELDS & typeof PAGE_KEYS)
  | keyof (typeof PROJECT_FIELDS & typeof THEME_FIELDS & typeof SCALE_FIELDS & typeof OFFICE_KEYS)
  | keyof (typeof FOOTER_LINK_KEYS & typeof WORD_KEYS & typeof LINT_KEYS & typeof PUBLISHING_KEYS)
  | typeof PATH
  | typeof FOLDERS_KEY

/**
 * The fields of a file from the schemas that `check` uses: a new key has its field at once, and nothing is required that
 * `check` does not require.
 */
export function fieldsOfFile(kind: FileKind, words: Words): readonly Field[] {
  if (kind === 'page') return fieldsOf(PAGE_KEYS, words)
  if (kind === 'project') return fieldsOf(PROJECT_KEYS, words)
  const { colors, type, files } = words.sections
  if (kind === 'files') {
    const { additionalProperties: folder } = FILES.properties?.[FOLDERS_KEY] ?? {}
    return [
      keyedField(ENTRIES, files, FILES.additionalProperties, words),
      keyedField(FOLDERS_KEY, words.fields.folders, folder, words),
    ]
  }
  const [label, { items = {} }] = kind === 'colors' ? [colors, COLORS] : [type, TYPES]
  const fields = fieldsOf(items.properties, words, items.required)
  return [{ name: ENTRIES, label, isRequired: false, kind: 'list', fields }]
}

/** The field for the entries of `files.yaml`, or for its folders: a path, and the values of the schema. */
function keyedField(name: string, label: Word, schema: Schema['additionalProperties'], words: Words): Field {
  const path = withDescription(NAME, name === ENTRIES ? FILE_PATH : FOLDER_PATH)
  const fields = fieldsOf({ [PATH]: path, ...(schema ? schema.properties : {}) }, words, [PATH])
  return { name, label, isRequired: false, kind: 'keyed', fields: fields.filter(field => field.name !== OTHER_NAME) }
}

/** Another name for the description of a file, which an entry keeps. */
const OTHER_NAME = 'alt'

const FILE_PATH =
  'The path of the file below files/ or pages/, a pattern, or a folder with / at its end. Examples: logo/acme.svg, logo/*.png, logo/white/'
const FOLDER_PATH = 'The path of the folder below files/. Example: logo'

/** The keys of the front matter of a page. A `cover` that is a mapping is kept. */
const PAGE_KEYS = {
  title: withDescription(
    NAME,
    'The name of the page. Default: the first heading, else the name of the file.',
    'Our logo',
  ),
  description: withDescription(DESCRIPTION, 'A description of the page in one or two sentences.'),
  order: withDescription(number({ max: 1_000_000 }), 'The place of the page in lists: lower numbers come first.', 10),
  nav: withDescription(SHORT_TEXT, 'A short name for the navigation; false leaves the page out of it.', 'Logo'),
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

/** One field for each key of a mapping, in the order of its table, except that names come first. */
function fieldsOf(
  properties: Readonly<Record<string, Schema>> = {},
  words: Words,
  required: readonly string[] = [],
): Field[] {
  const labels: Labels = words.fields
  const label = new Map<string, Word>([...SYSTEM_LABELS, ...Object.entries(labels)])
  const rankOf = (name: string) => RANKS[name] ?? 2
  return Object.entries(properties)
    .sort(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([name, schema]) => ({
      name,
      label: label.get(name) ?? name,
      hint: hintOf(schema, words),
      isRequired: required.includes(name),
      ...(IS_PANTONE.has(name) ? { kind: 'pantone' } : controlOf(schema, words)),
    }))
}

const SYSTEM_LABELS = PRINT_KEYS.map(key => [key, valueName(key).label] as const)

/** Only colours have these fields, whose schema is that of any short text. */
const IS_PANTONE: ReadonlySet<string> = new Set(PANTONE_KEYS)

/** Names first, then a colour, then all others, and the id last. */
const RANKS: Readonly<Record<string, number>> = { [PATH]: 0, name: 0, title: 0, hex: 1, id: 3 }

/** The description, which is in English, with an example that fits into one line. */
function hintOf({ description, examples = [] }: Schema, words: Words): Word | undefined {
  const example = examples.find(each => typeof each !== 'object')
  const text = example === undefined || description === undefined ? description : `${description} Example: ${example}`
  return text === undefined ? undefined : inEnglish(words, text)
}

/** English text for a page, marked as such if the page is in another language. */
export function inEnglish({ lang }: Words, text: string): Word {
  return lang === 'en' ? text : new EnglishText(text)
}

/** The control for the values of a schema. The first that fits counts, so the order matters. */
function controlOf(schema: Schema, words: Words): Control {
  const { anyOf = [], items = {}, enum: options = [], default: usual } = schema
  const forms = [schema, ...anyOf]
  const object = forms.find(form => form.properties ?? form.additionalProperties)
  if (schema.pattern === HEX.pattern) return { kind: 'color' }
  if (object?.properties) return { kind: 'object', fields: fieldsOf(object.properties, words, object.required) }
  if (object) return { kind: 'pairs' }
  if (items.properties) return { kind: 'list', fields: fieldsOf(items.properties, words, items.required) }
  if (schema.type === 'array') return { kind: 'words' }
  if (options.includes(true) && usual === false) return { kind: 'flag' }
  if (options.length > 0) return { kind: 'choice', options: [...new Set(options.map(String))] }
  if (items.enum) return { kind: 'choices', options: items.enum.map(String) }
  return { kind: forms.some(({ pattern }) => pattern === DESCRIPTION.pattern) ? 'text' : 'line' }
}
