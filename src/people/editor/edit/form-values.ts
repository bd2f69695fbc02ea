import { isDeepStrictEqual } from 'node:util'
import { AT, BODY, type EditorField, type FormValues, kindOf } from '../formats/field.ts'
import { canonicalColor, entriesOf, fieldValue, formText, pairsOf, recordOf, wordsOf } from '../formats/values.ts'

/** The name of a form field: its place in the values, as `/items/3/hex`. */
export function nameIn(parent: string, key: string | number): string {
  return `${parent}/${key}`
}

/** The name of the checkboxes whose values are the names of fields and entries to remove. */
export const REMOVE = 'remove'
/** The place of a new entry of a list. */
export const NEW = 'new'

/**
 * The values of a form. A field with the text that its control had keeps its value, whose form the control may not show.
 * So does an emptied field whose box *Remove value* is not ticked; its name is reported: a typo must remove nothing.
 */
export function formValues(
  fields: readonly EditorField[],
  form: URLSearchParams,
  before: FormValues,
): { values: FormValues; emptied: readonly string[] } {
  const all = Map.groupBy(form, ([name]) => name)
  const textsAt = (name: string) => (all.get(name) ?? []).map(([, text]) => text.replace(/\r\n?/g, '\n'))
  const removed = new Set(textsAt(REMOVE))
  const emptied: string[] = []
  const read = (field: EditorField, parent: string, old: unknown): unknown => {
    const name = nameIn(parent, field.name)
    if (removed.has(name)) return undefined
    const kind = kindOf(field)
    if (kind === 'object') return readAll(field.fields ?? [], name, recordOf(old))
    if (kind === 'list' || kind === 'keyed') return readList(field, name, old)
    const sent = textsAt(name)
    if (kind === 'flag') return sent.length > 0 ? 'true' : ''
    if (isDeepStrictEqual(sent, shownTexts(field, old)) || (field.name === BODY && sent.length === 0)) return old
    const value = readValue(kind, sent)
    const isEmptied = fieldValue(field, value) === undefined && fieldValue(field, old) !== undefined
    if (!isEmptied || field.name === AT || field.name === BODY) return value
    emptied.push(name)
    return old
  }
  const readAll = (all: readonly EditorField[], parent: string, old: FormValues): FormValues =>
    Object.fromEntries(all.map(field => [field.name, read(field, parent, old[field.name])]))
  const readList = (field: EditorField, name: string, old: unknown) => {
    const entries = Object.values(recordOf(old)).map(recordOf)
    const read = [...entries.map((entry, at) => [at, entry] as const), [NEW, {}] as const].flatMap(([at, entry]) =>
      removed.has(nameIn(name, at)) ? [] : [readAll(field.fields ?? [], nameIn(name, at), entry)],
    )
    return entriesOf(field, read)
  }
  return { values: readAll(fields, '', before), emptied }
}

/** The texts of the control for a value, as a browser sends them. */
export function shownTexts(field: EditorField, value: unknown): string[] {
  const kind = kindOf(field)
  if (Array.isArray(field.options)) {
    const chosen = kind === 'words' ? wordsOf(value) : [formText(value)]
    const texts = field.options.map(String).filter(option => chosen.includes(option))
    return texts.length > 0 || kind === 'words' ? texts : ['']
  }
  if (kind === 'words') return [wordsOf(value).join('\n')]
  const pairs = kind === 'pairs' && Object.entries(pairsOf(value)).map(([key, text]) => `${key}: ${text}`)
  const text = pairs ? pairs.join('\n') : formText(value)
  return [pairs || field.name === BODY || field.widget === 'text' ? text : text.replaceAll('\n', '')]
}

function readValue(kind: ReturnType<typeof kindOf>, sent: readonly string[]): unknown {
  const [text = ''] = sent
  if (kind === 'pairs') return pairsIn(text)
  if (kind === 'words') return sent.flatMap(linesOf)
  return (kind === 'color' && canonicalColor(text)) || formText(text)
}

function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/)
}

/** Lines such as `HKS: 13 K`. */
function pairsIn(text: string): FormValues {
  return Object.fromEntries(
    linesOf(text).flatMap(line => {
      const [key = '', ...rest] = line.split(':')
      return rest.length === 0 || key.trim() === '' ? [] : [[key.trim(), rest.join(':').trim()]]
    }),
  )
}
