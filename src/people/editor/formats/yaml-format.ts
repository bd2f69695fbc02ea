import { type Document, isCollection, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { readYaml } from '#intake/yaml/yaml.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { type EditorField, ENTRIES, FOLDERS, type Format, type FormValues, SOURCE } from './field.ts'
import { losslessFormat } from './lossless-format.ts'
import { fieldValues, readFields } from './values.ts'
import { fillCollection } from './yaml-fill.ts'
import { render } from './yaml-source.ts'

/** Makes the format of a YAML file: of a mapping, of a list, or of `files/files.yaml`, whose entries have their path as key. */
export function yamlFormat(fields: readonly EditorField[]): Format {
  const isFiles = fields.some(({ name }) => name === FOLDERS)
  const keys = fields.filter(({ name }) => name !== SOURCE)
  const own = isFiles ? keys.map(field => ({ ...field, widget: 'keyed' })) : keys
  return losslessFormat(
    own,
    text => readRoot(text, own),
    (text, content) => editRoot(text, content, own),
  )
}

/** Reads the form values of YAML that begins on this line of a file. */
export function readRoot(text: string, fields: readonly EditorField[], firstLine = 1): Result<FormValues, string> {
  const document = parseRoot(text, listIn(fields), firstLine)
  return document.ok ? ok(fieldValues(fields, readFields(fields, document.value.contents))) : document
}

/** YAML with the values of a form. */
export function editRoot(text: string, content: FormValues, fields: readonly EditorField[]): Result<string, string> {
  const list = listIn(fields)
  const document = parseRoot(text, list)
  if (!document.ok) return document
  const { contents } = document.value.clone()
  const root = list
    ? fillCollection(contents, list, content[ENTRIES])
    : fillCollection(contents, { name: '', widget: 'object', fields }, content)
  const before = document.value.contents
  return ok(root.items.length === 0 && !isCollection(before) ? text : render(text, before, root))
}

/** The field with the entries of a file that is a list. */
function listIn(fields: readonly EditorField[]): EditorField | undefined {
  return fields.find(({ name, widget }) => name === ENTRIES && widget === 'list')
}

function parseRoot(text: string, list: EditorField | undefined, firstLine = 1): Result<Document, string> {
  if (text.length > 4 * 1024 * 1024) return failed('it is larger than 4 MiB; split it')
  const problem = readYaml(text, firstLine).problems.find(({ rule }) => rule !== 'value-cut')
  if (problem) return failed(`line ${problem.line}: ${problem.message}`)
  // Scalars are null, or strings as they are written.
  const document = parseDocument(text, { schema: 'failsafe', customTags: ['null'], uniqueKeys: false })
  const { contents } = document
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null)
  if (isEmpty || (list ? isSeq(contents) : isMap(contents))) return ok(document)
  return failed(
    list ? 'it is not a list; begin each entry with "- "' : 'it is not a mapping; write lines such as "name: Acme"',
  )
}
