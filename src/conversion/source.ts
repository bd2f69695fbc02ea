import { decodeText } from '../base/bytes.ts'
import { withoutUndefined } from '../base/object.ts'
import { failed, ok, type Result } from '../base/result.ts'
import { hexText } from '../brand/styles/screen-color.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes } from './found-styles.ts'
import { isObject, type Json, parseJson, textMember } from './json.ts'
import { isAse, readAse } from './palettes/ase.ts'
import { isStyleTable, readCsv } from './palettes/csv.ts'
import { readDesignTokens } from './tokens/design-tokens.ts'

/** The reason why a file cannot be read: an unknown format, or damage. The message ends a sentence. */
export type SourceProblem = { isUnknown: boolean; message: string }

/** Reads the styles in a file of another tool. Detects the format from the bytes, not from the file name. */
export function readSource(bytes: Uint8Array): Result<FoundStyles, SourceProblem> {
  const notes: Notes = new Map()
  if (isAse(bytes)) return withProblem(readAse(bytes, notes))
  const decoded = decodeText(bytes)
  if (decoded === undefined)
    return failed({ isUnknown: true, message: `is neither a palette nor UTF-8 text; ${SUPPORTED}` })
  const text = decoded.replace(/^\ufeff/, '')
  if (GPL_START.test(text)) return withProblem(readGpl(text, notes))
  if (/^\s*[{[]/.test(text)) return withProblem(readTokens(text, notes))
  if (isStyleTable(text)) return withProblem(readCsv(text, notes))
  const what = text.trim() === '' ? 'is empty' : 'has an unknown format'
  return failed({ isUnknown: true, message: `${what}; ${SUPPORTED}` })
}

const SUPPORTED =
  'supported formats: design tokens as JSON (Design Tokens 2025.10 and before, Figma, Tokens Studio, Style Dictionary), .ase, .gpl, and .csv with a header that has name and hex, rgb or cmyk'

function readTokens(text: string, notes: Notes): Result<FoundStyles, string> {
  const json = parseJson(text, key => addNote(notes, key, 'occurs twice in one object; the last value counts'))
  if (!json.ok) return json
  if (!isObject(json.value)) return failed('has no design token: it is a list')
  // Exports and replies of housestyle have lists of colours or type styles.
  const [colors, types] = [json.value.get('colors'), json.value.get('types')]
  if (!Array.isArray(colors) && !Array.isArray(types)) return readDesignTokens(json.value, notes)
  return ok({ colors: listOf(colors, notes), types: listOf(types, notes), notes })
}

function withProblem(read: Result<FoundStyles, string>): Result<FoundStyles, SourceProblem> {
  return read.ok ? ok(read.value) : failed({ isUnknown: false, message: read.problem })
}

function listOf(list: Json | undefined, notes: Notes): FoundStyle[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item, at) => {
    const [id, name] = [textMember(item, 'id'), textMember(item, 'name')]
    if (!isObject(item) || name === undefined) {
      addNote(notes, `entry ${at + 1}`, 'is not a style with a name; left out')
      return []
    }
    const fields = new Map([...item].filter(([key]) => key !== 'id' && key !== 'name'))
    return [withoutUndefined({ id, name, fields })]
  })
}

const GPL_START = /^GIMP Palette[ \t]*(?:\r?\n|\r|$)/

/** Reads lines of `R G B<tab>name`. A colour without a name is named by its hex. */
function readGpl(text: string, notes: Notes): Result<FoundStyles, string> {
  const colors = text
    .split(/\r\n|\n|\r/)
    .slice(1)
    .flatMap((line, at) => readLine(line, `line ${at + 2}`, notes))
  return ok({ colors, types: [], notes })
}

function readLine(line: string, subject: string, notes: Notes): FoundStyle[] {
  if (line.trim() === '' || /^\s*#/.test(line) || /^(?:Name|Columns|Channels):/.test(line)) return []
  const [, red, green, blue, label = ''] = /^\s*(\d{1,3})\s+(\d{1,3})\s+(\d{1,3})(?:\s+(.*))?$/.exec(line) ?? []
  const channels = [red, green, blue].map(Number)
  if (!channels.every(channel => channel <= 255)) {
    addNote(notes, subject, 'is not three numbers from 0 to 255 and a name; left out')
    return []
  }
  const [r = 0, g = 0, b = 0] = channels
  const hex = hexText([r, g, b])
  const name = label.trim()
  return [{ name: name === '' || name === 'Untitled' ? hex : name, fields: new Map([['hex', hex]]) }]
}
