/** A field of a form: a value, a mapping or a list of these. */
export type EditorField = {
  name: string
  label?: string
  hint?: string
  required?: boolean
  /** Its control: `string`, `text`, `markdown`, `color`, `file`, `boolean`, `select`, `list`, `object`, `keyvalue`, `keyed` or `hidden`. */
  widget: string
  fields?: readonly EditorField[]
  /** The words of a choice, of which several count if it is `multiple`. */
  options?: readonly string[]
  multiple?: boolean
}

/** The values of a form, by the name of their field. */
export type FormValues = Readonly<Record<string, unknown>>

/** A file format of the editor. Both functions throw an error for people if they cannot convert. */
export type Format = { fromFile: (text: string) => FormValues; toFile: (content: FormValues) => string }

/** The hidden field with the text of the file, as a JSON string. */
export const SOURCE = 'source'
/** The hidden field of an entry with its index in the file. */
export const AT = 'at'
/** The field of a page with its Markdown. */
export const BODY = 'body'
/** The field of a keyed entry with its key. */
export const PATH = 'path'
/** The field that a keyed entry has if its value is only a string. */
export const DESCRIPTION = 'description'
/** The field with the entries of a list, or of `files/files.yaml`. */
export const ENTRIES = 'items'
/** The key of `files/files.yaml` and the name of the field for folders, which are not files. */
export const FOLDERS = 'folders'

/** `words` are a list of strings, `pairs` have any keys, and `list` and `keyed` are entries of a sequence or mapping. */
export function kindOf({ widget, fields, multiple }: EditorField) {
  if (widget === 'list') return fields ? 'list' : 'words'
  if (widget === 'keyed' || widget === 'object' || widget === 'color') return widget
  if (widget === 'boolean') return 'flag'
  if (widget === 'keyvalue') return 'pairs'
  return widget === 'select' && multiple === true ? 'words' : 'text'
}
