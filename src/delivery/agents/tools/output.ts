import { COLOR_FIELDS, type Color } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import { FILE_USES, type FileUses } from '#brand/file.ts'
import { TYPE_FIELDS, type TypeStyle } from '#brand/type-style.ts'
import type { Result } from '#platform/base/result.ts'

// The schemas of what tools return, from which the compiler has the types of the replies. Fields of colours, styles and
// files come from the tables of the fields in `src/brand`, so that a new field is in the replies at once: as text, unless it
// is listed here with another type.

const TEXT = { type: 'string' } as const
const NUMBER = { type: 'number' } as const
const WHOLE = { type: 'integer' } as const
const FLAG = { type: 'boolean' } as const
const TEXTS = { type: 'array', items: TEXT } as const
const ANY_FIELDS = { type: 'object' } as const

/** The keys of a type whose values are not text. */
type OtherThanText<Thing> = keyof { [Key in keyof Thing as Thing[Key] extends string | undefined ? never : Key]: Key }

/** The fields of a colour that are not text. */
const OTHER_COLOR_FIELDS = {
  ral: WHOLE,
  inks: { type: 'object', additionalProperties: TEXT },
  on: TEXTS,
  proportion: NUMBER,
} as const satisfies Record<OtherThanText<Color>, object>

/** The fields of a type style that are not text. */
const OTHER_TYPE_FIELDS = {
  size: NUMBER,
  leading: NUMBER,
  tracking: NUMBER,
  spacing: NUMBER,
  weight: NUMBER,
  responsive: FLAG,
  fallback: TEXTS,
  features: ANY_FIELDS,
  axes: ANY_FIELDS,
} satisfies Record<OtherThanText<TypeStyle>, object>

/** The uses of a file that are not text. */
const OTHER_FILE_USES = { minWidth: NUMBER, clearSpace: NUMBER, medium: TEXTS } satisfies Record<
  OtherThanText<FileUses>,
  object
>

const COLOR = object(
  {
    ...texts('id', 'name', 'rgb', 'hex', ...keysBut(COLOR_FIELDS, OTHER_COLOR_FIELDS)),
    url: TEXT,
    ...OTHER_COLOR_FIELDS,
  },
  ['id', 'name', 'rgb', 'hex', 'url'],
)
const TYPE = object({ ...texts(...keysBut(TYPE_FIELDS, OTHER_TYPE_FIELDS)), url: TEXT, ...OTHER_TYPE_FIELDS }, [
  'id',
  'name',
  'casing',
  'responsive',
  'features',
  'url',
])
const FILE = object(
  {
    ...texts('id', 'filename', 'contentType', 'url', 'path', 'title', ...keysBut(FILE_USES, OTHER_FILE_USES)),
    variantOf: TEXT,
    size: NUMBER,
    ...OTHER_FILE_USES,
    isExpired: FLAG,
    metadata: ANY_FIELDS,
  },
  ['id', 'filename', 'contentType', 'url', 'size'],
)
const FINDING = object(
  {
    ...texts('severity', 'rule', 'message'),
    count: WHOLE,
    line: WHOLE,
    column: WHOLE,
    ...texts('text', 'found', 'nearest', 'write', 'guide'),
    deltaE: NUMBER,
    ratio: NUMBER,
  },
  ['severity', 'rule', 'message', 'count'],
)
const PAGE = object(texts('id', 'name', 'description', 'url'), ['id', 'name', 'url'])
const IN_PROJECT = texts('workspace', 'project')

/** The sentences of a reply that are true of it, for its hint or note; undefined if none is. */
export function applicable(
  ...sentences: readonly (readonly [isTrue: boolean, sentence: string])[]
): string | undefined {
  const trueOnes = sentences.filter(([isTrue]) => isTrue).map(([, sentence]) => sentence)
  return trueOnes.join(' ') || undefined
}

/** The schema of the structured content of each tool. The compiler checks that the tool returns it. */
export const OUTPUTS = {
  search: output({ total: WHOLE, results: list(object(texts('id', 'title', 'url', 'text', 'project', 'page'))) }),
  fetch: output({
    ...texts('id', 'title', 'text', 'url'),
    metadata: { type: 'object', additionalProperties: TEXT } as const,
  }),
  list_projects: output({ workspace: TEXT, total: WHOLE, projects: list(object(texts('id', 'name', 'url'))) }),
  list_pages: output({ ...IN_PROJECT, total: WHOLE, pages: list(PAGE) }),
  get_page: output(
    {
      ...IN_PROJECT,
      ...texts('page', 'name', 'url', 'content'),
      pictures: list(object(texts('id', 'description', 'url'))),
      nextOffset: WHOLE,
    },
    ['workspace', 'project', 'page', 'name', 'url', 'content', 'pictures'],
  ),
  get_styles: output({ ...IN_PROJECT, total: WHOLE, colors: list(COLOR), types: list(TYPE), note: TEXT }, [
    'workspace',
    'project',
    'total',
  ]),
  list_files: output({ ...IN_PROJECT, total: WHOLE, files: list(FILE) }),
  lint: output({ total: WHOLE, findings: list(FINDING) }),
}

export type ToolName = keyof typeof OUTPUTS

/** The structured content of a tool, or a problem with the next step. */
export type Outcome<Name extends ToolName> = Result<Reply<Name>, string>

export type Reply<Name extends ToolName> = ValueOf<(typeof OUTPUTS)[Name]>

/** The types of JSON Schema as TypeScript has them; `ValueOf` is the value that a schema describes. */
type Simple = { string: string; number: number; integer: number; boolean: boolean }

type ValueOf<Schema> = Schema extends { type: keyof Simple }
  ? Simple[Schema['type']]
  : Schema extends { items: infer Item }
    ? readonly ValueOf<Item>[]
    : Schema extends { additionalProperties: infer Value }
      ? Readonly<Record<string, ValueOf<Value>>>
      : Schema extends { properties: infer Properties; required: readonly (infer Required)[] }
        ? { [Key in keyof Properties & Required]: ValueOf<Properties[Key]> } & {
            [Key in Exclude<keyof Properties, Required>]?: ValueOf<Properties[Key]>
          }
        : object

/** Structured content. Every reply may also have a hint. */
function output<Properties extends object, Required extends keyof Properties & string = keyof Properties & string>(
  properties: Properties,
  required?: readonly Required[],
) {
  return { ...object(properties, required), properties: { ...properties, hint: TEXT } }
}

function list<Items>(items: Items) {
  return { type: 'array', items } as const
}

/** Fields, all of them required unless some are named. */
function object<Properties extends object, Required extends keyof Properties & string = keyof Properties & string>(
  properties: Properties,
  required?: readonly Required[],
) {
  const names: readonly string[] = required ?? Object.keys(properties)
  const isRequired = (name: string): name is Required => names.includes(name)
  return { type: 'object', properties, required: Object.keys(properties).filter(isRequired) } as const
}

/** Fields with these names, all of them text. */
function texts<const Name extends string>(...names: readonly Name[]): { [Key in Name]: typeof TEXT }
function texts(...names: readonly string[]): object {
  return Object.fromEntries(names.map(name => [name, TEXT]))
}

/** The keys of a table that another object does not have. */
function keysBut<Key extends string, Other extends object>(table: Readonly<Record<Key, unknown>>, other: Other) {
  return keysOf(table).filter((key): key is Exclude<Key, keyof Other> => !Object.hasOwn(other, key))
}
