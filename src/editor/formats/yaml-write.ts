import { AT, DESCRIPTION, type EditorField, type FormValues, kindOf, PATH, subfields } from './field.ts'
import { entriesOf, fieldsIn, flagOf, hasValue, isAbsent, textOf, valuesIn, wordsOf } from './values.ts'
import { type Place, type Written, writeKey, writeScalar } from './yaml-scalar.ts'

/** Writes the value of a field that is not absent, for a key at this place. */
export function writeValue(field: EditorField, value: unknown, place: Place): Written {
  switch (kindOf(field)) {
    case 'text':
    case 'color':
      return writeScalar(textOf(value), place, undefined, isChoice(field))
    case 'flag':
      return { inline: String(flagOf(value)) }
    case 'words':
      return {
        inline: bracket(
          '[',
          wordsOf(value).map(word => writeWord(field, word, place)),
          ']',
        ),
      }
    case 'pairs':
    case 'object':
      return writeObject(fieldsIn(field, [value]), valuesIn(field, value), place)
    case 'list':
      return writeList(field, entriesOf(field, value), place)
    case 'keyed': {
      const entries = entriesOf(field, value)
      if (place.isFlow)
        return {
          inline: bracket(
            '{',
            entries.map(entry => writeKeyed(field, entry, place)),
            '}',
          ),
        }
      const inner = deeper(place)
      return {
        inline: '',
        below: indent(inner) + entries.map(entry => writeKeyed(field, entry, inner)).join(newLine(inner)),
      }
    }
  }
}

/** Writes an entry of a list of strings. */
export function writeWord(field: EditorField, word: string, place: Place): string {
  return writeScalar(word, { ...place, isFlow: true }, undefined, isChoice(field)).inline
}

/** Whether a field has a fixed set of words, of which `true` may be one. */
export function isChoice({ widget }: EditorField): boolean {
  return widget === 'select'
}

/** Writes the value of a key that is a mapping. */
export function writeObject(
  fields: readonly EditorField[],
  values: FormValues,
  place: Place,
  description?: string,
): Written {
  if (place.isFlow || !hasValue(fields, values))
    return { inline: writeFields(fields, values, { ...place, isFlow: true }, description) }
  const inner = deeper(place)
  return { inline: '', below: indent(inner) + writeFields(fields, values, inner, description) }
}

/**
 * Writes a mapping from where its first key begins.
 *
 * @param description the source of its description, if it is known
 */
export function writeFields(
  fields: readonly EditorField[],
  values: FormValues,
  place: Place,
  description?: string,
): string {
  const pairs = fields.flatMap(field => {
    if (isAbsent(field, values[field.name])) return []
    if (field.name === DESCRIPTION && description !== undefined) return [`${DESCRIPTION}: ${description}`]
    return [writePair(writeKey(field.name), writeValue(field, values[field.name], place), place)]
  })
  return place.isFlow || pairs.length === 0 ? bracket('{', pairs, '}') : pairs.join(newLine(place))
}

export function writePair(key: string, { inline, below }: Written, { eol }: Place): string {
  return `${key}:${inline && ` ${inline}`}${below === undefined ? '' : eol + below}`
}

/** Writes a new entry of a list, behind its dash. */
export function writeEntry(field: EditorField, entry: FormValues, place: Place): string {
  return writeFields(subfields(field), entry, place)
}

/** Writes a new keyed entry. */
export function writeKeyed(field: EditorField, entry: FormValues, place: Place): string {
  return writePair(writeKey(pathOf(entry)), writeObject(subfields(field), entry, place), place)
}

/** The key of a keyed entry. */
export function pathOf(entry: FormValues): string {
  const path = textOf(entry[PATH])
  if (path === '')
    throw new Error(`cannot save the entry ${Number(entry[AT]) + 1 || 'that is new'}: it has no path; write one`)
  return path
}

/** The start of a new line in a block. */
export function newLine(place: Place): string {
  return place.eol + indent(place)
}

function writeList(field: EditorField, entries: readonly FormValues[], place: Place): Written {
  const { eol, isFlow } = place
  if (isFlow)
    return {
      inline: bracket(
        '[',
        entries.map(entry => writeEntry(field, entry, place)),
        ']',
      ),
    }
  const inner = deeper(place)
  const items = entries.map(entry => `- ${writeEntry(field, entry, deeper(inner))}`)
  return { inline: '', below: indent(inner) + items.join(eol + indent(inner)) }
}

function bracket(open: string, items: readonly string[], close: string): string {
  return open + items.join(', ') + close
}

function deeper(place: Place): Place {
  return { ...place, column: place.column + 2 }
}

function indent({ column }: Place): string {
  return ' '.repeat(column)
}
