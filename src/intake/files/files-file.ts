import { withoutUndefined } from '../../base/object.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { keysOf } from '../../brand/fields.ts'
import { type FileNotes, MEDIA } from '../../brand/file.ts'
import type { Problem } from '../../brand/finding.ts'
import { FILE_KEYS } from '../schema/files.ts'
import { type Fields, readFields, readOptional } from '../yaml/fields.ts'
import { readNumber } from '../yaml/numbers.ts'
import { refuse, withSubject } from '../yaml/reader.ts'
import { type Reference, readReference } from '../yaml/references.ts'
import {
  readDay,
  readDescription,
  readFlag,
  readName,
  readOneOf,
  readParsed,
  readShortText,
  readWords,
} from '../yaml/texts.ts'
import { readYaml, type YamlEntry } from '../yaml/yaml.ts'

const KEYS = keysOf(FILE_KEYS)

/** The entry of a file in `files.yaml`, which overrides the file's own metadata. */
export type FileEntry = {
  /** The path as written; never empty. */
  path: string
  line: number
  overrides: FileOverrides
  /** The line of each key. */
  lines: ReadonlyMap<string, number>
  notes: WrittenNotes
}

/** Website-only details of a file. The background colour and the original file are unresolved references. */
type WrittenNotes = Omit<FileNotes, 'ground' | 'variantOf'> & { ground?: Reference; variantOf?: Reference }

export type FileOverrides = {
  /** Empty if there is nothing to describe, for example for a decorative picture. */
  description?: string
  /** A type and a subtype in lower case: `font/woff2`. */
  contentType?: string
  family?: string
  subFamily?: string
  /** 1 to 1000 */
  weight?: number
  style?: 'normal' | 'italic' | 'oblique'
  /** px */
  width?: number
  /** px */
  height?: number
}

/** Reads `files.yaml`: a mapping of paths to descriptions, or to mappings of fields. */
export function readFilesFile(text: string): { files: FileEntry[]; problems: Problem[] } {
  const { root, problems } = readYaml(text)
  if (root === undefined || root.kind === 'empty') return { files: [], problems }
  if (root.kind !== 'mapping') {
    problems.push(withSubject('the file', refuse(root, 'write a mapping of paths, as in images/logo.svg: Our logo')))
    return { files: [], problems }
  }
  return { files: root.entries.flatMap(entry => readFile(entry, problems)), problems }
}

function readFile({ key, line, value }: YamlEntry, problems: Problem[]): FileEntry[] {
  if (key === '' || /\p{Cc}/u.test(key) || !key.isWellFormed()) {
    const message = `the path ${quote(key)} is not a valid file path; write one under files/ or pages/`
    problems.push({ rule: 'value-invalid', line, message })
    return []
  }
  if (value.kind !== 'mapping') {
    const description = readDescription(value)
    if (!description.ok) {
      problems.push(withSubject(quote(key), description))
      return []
    }
    const overrides = { description: description.value }
    return [{ path: key, line, overrides, lines: new Map([['description', line]]), notes: {} }]
  }
  const fields = readFields(value, 'a file in files.yaml', KEYS, problems)
  if (fields === undefined) return []
  const lines = new Map(value.entries.map(entry => [entry.key, entry.line]))
  return [{ path: key, line, overrides: readOverrides(fields), lines, notes: readNotes(fields) }]
}

const readWeight = readNumber('a whole number from 1 to 1000, as in 400', isWhole(1, 1000))
const readOrder = readNumber('a number, as in 2', () => true)
const readPixels = readNumber('a whole number of px above 0, as in 640', isWhole(1, 1_000_000))

function readOverrides(fields: Fields<(typeof KEYS)[number]>): FileOverrides {
  return withoutUndefined({
    description: readOptional(fields, 'description', readDescription),
    contentType: readOptional(fields, 'contentType', readParsed(parseContentType)),
    family: readOptional(fields, 'family', readShortText),
    subFamily: readOptional(fields, 'subFamily', readShortText),
    weight: readOptional(fields, 'weight', readWeight),
    style: readOptional(fields, 'style', readOneOf(['normal', 'italic', 'oblique'])),
    width: readOptional(fields, 'width', readPixels),
    height: readOptional(fields, 'height', readPixels),
  })
}

function readNotes(fields: Fields<(typeof KEYS)[number]>): WrittenNotes {
  return withoutUndefined({
    title: readOptional(fields, 'title', readName),
    ground: readOptional(fields, 'ground', readReference),
    variantOf: readOptional(fields, 'variantOf', readReference),
    library: readOptional(fields, 'library', readFlag),
    order: readOptional(fields, 'order', readOrder),
    medium: readOptional(fields, 'medium', readWords(MEDIA)),
    minWidth: readOptional(fields, 'minWidth', readPixels),
    licence: readOptional(fields, 'licence', readShortText),
    territory: readOptional(fields, 'territory', readShortText),
    until: readOptional(fields, 'until', readDay),
  })
}

/** A media type without parameters (RFC 6838 §4.2). */
function parseContentType(text: string): Result<string, string> {
  const isMediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i.test(text)
  return isMediaType
    ? ok(text.toLowerCase())
    : failed(`is ${quote(text)}; write a type and a subtype, as in image/svg+xml`)
}

function isWhole(min: number, max: number): (number: number) => boolean {
  return number => Number.isInteger(number) && number >= min && number <= max
}
