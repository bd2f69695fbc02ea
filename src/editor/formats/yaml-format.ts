import { isMap, isSeq } from 'yaml'
import { failed, ok, type Result } from '../../base/result.ts'
import { type EditorField, type Format, type FormValues, SOURCE } from './field.ts'
import { losslessFormat } from './lossless-format.ts'
import { hasValue, isAbsent } from './values.ts'
import { editEntries, editFields } from './yaml-edits.ts'
import { FOLDERS, readField, readFields } from './yaml-form.ts'
import { endOf, partsOf } from './yaml-parts.ts'
import { joinParts } from './yaml-rewrite.ts'
import { type Collection, isEmptyNode, isFilled, parseYaml, type YamlSource } from './yaml-source.ts'
import { writeFields, writeValue } from './yaml-write.ts'

/** The content of a YAML file: a mapping, a list of mappings, or the mapping of `files/files.yaml`. */
export type RootKind = 'mapping' | 'list' | 'files'

/**
 * Makes the format of a YAML file. The form of a mapping has its keys. The other two have their entries in the field
 * `items`, and a form of files has folders in `folders`.
 */
export function yamlFormat(fields: readonly EditorField[], root: RootKind): Format {
  const parts = rootFields(fields, root)
  return losslessFormat({
    fields: parts.entries ? [parts.entries, ...parts.keys] : parts.keys,
    read: text => readRoot(text, parts),
    edit: (text, content) => editRoot(text, content, parts),
  })
}

/** The field for the entries of the root, and the fields for its keys. */
export type RootFields = { entries?: EditorField; keys: readonly EditorField[] }

function rootFields(fields: readonly EditorField[], root: RootKind): RootFields {
  const keys = fields.filter(({ name }) => name !== SOURCE)
  if (root === 'mapping') return { keys }
  const [entries] = keys.filter(({ name }) => name !== FOLDERS)
  if (!entries) return { keys }
  if (root === 'list') return { entries, keys: [] }
  const folders = keys.filter(({ name }) => name === FOLDERS)
  return { entries: { ...entries, widget: 'keyed' }, keys: folders.map(field => ({ ...field, widget: 'keyed' })) }
}

/**
 * Reads the form values of YAML.
 *
 * @param firstLine the line of the file on which the text begins
 */
export function readRoot(text: string, fields: RootFields, firstLine = 1): Result<FormValues, string> {
  const source = parseRoot(text, fields, firstLine)
  if (!source.ok) return source
  const { root } = source.value
  const { entries, keys } = fields
  const values = isMap(root) ? readFields(keys, root) : {}
  return ok(entries ? { [entries.name]: readField(entries, root) ?? [], ...values } : values)
}

/** YAML with the values of a form. */
export function editRoot(text: string, content: FormValues, fields: RootFields, eol?: string): Result<string, string> {
  const { entries, keys } = fields
  let edited = text
  if (entries) {
    const source = parseRoot(edited, fields, 1, eol)
    if (!source.ok) return source
    const value = content[entries.name]
    // The entries of the root are where those below a key two columns to the left would be.
    const place = { column: -2, isFlow: false, eol: source.value.eol }
    edited = rewriteRoot(
      source.value,
      node => editEntries(source.value, node, entries, value),
      isAbsent(entries, value) ? '' : (writeValue(entries, value, place).below ?? ''),
    )
  }
  if (keys.length === 0) return ok(edited)
  const source = parseRoot(edited, fields, 1, eol)
  if (!source.ok) return source
  const place = { column: 0, isFlow: false, eol: source.value.eol }
  const written = hasValue(keys, content) ? writeFields(keys, content, place) : ''
  return ok(rewriteRoot(source.value, node => editFields(source.value, node, keys, content), written))
}

function parseRoot(text: string, { entries }: RootFields, firstLine: number, eol?: string): Result<YamlSource, string> {
  const source = parseYaml(text, eol, firstLine)
  if (!source.ok) return source
  const { root } = source.value
  const isList = entries?.widget === 'list'
  if (isEmptyNode(root) || (isList ? isSeq(root) : isMap(root))) return source
  return failed(
    isList ? 'it is not a list; begin each entry with "- "' : 'it is not a mapping; write lines such as "name: Acme"',
  )
}

/** YAML whose root is edited, or written if it is empty. */
function rewriteRoot(source: YamlSource, edit: (root: Collection) => string | undefined, written: string): string {
  const { text, root, eol } = source
  if (isFilled(root)) {
    const empty = isSeq(root) ? '[]' : '{}'
    const edited =
      edit(root) ??
      (root.flow ? empty : joinParts(source, root, partsOf(text, root, true), [{ index: 0, text: empty }]))
    return text.slice(0, root.range[0]) + edited + text.slice(endOf(text, root))
  }
  if (written === '') return text
  if (root && !isEmptyNode(root)) return text.slice(0, root.range[0]) + written + text.slice(root.range[1])
  const isEnded = text === '' || /[\r\n]$/.test(text)
  return text + (isEnded ? '' : eol) + written + (isEnded ? eol : '')
}
