import { fileStem } from '#brand/file.ts'
import { colorKeyOf, namesInks, SCREEN_KEYS } from '#brand/styles/notation.ts'
import { typeKeyOf } from '#brand/styles/type-labels.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes, type SheetFacts } from '#brand/tokens/found-styles.ts'
import type { TokenFile } from '#brand/tokens/token-tree.ts'
import { isObject, type Json, type JsonObject, member, textMember } from '#formats/json/json.ts'
import { readGpl } from '#formats/palette/gpl.ts'
import { readScribus } from '#formats/palette/scribus.ts'
import { readFlatXml } from '#formats/xml/flat-xml.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { listIn, withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { inFormats, normalText, wordSet } from '#platform/base/text.ts'
import { type FileData, readData } from '../pages/data.ts'
import { readCsv } from './palettes/csv.ts'
import { listedColors } from './palettes/listed-colors.ts'
import { withNamesOutside } from './palettes/outer-systems.ts'
import { recordEntries } from './palettes/record-entries.ts'
import { paletteColors, swatchColors, swatchStyles } from './palettes/swatches.ts'
import { readSheets, type SheetSource, type SheetStyles } from './style-sheets/read-sheets.ts'
import { androidTokens, colorSetToken, noteItems, wordPressTokens } from './tokens/app-colors.ts'
import { adcpBrand, brandTokens, noteOthers } from './tokens/brand-files.ts'
import { readDesignTokens } from './tokens/design-tokens.ts'
import { figmaVariables } from './tokens/figma-variables.ts'

/** A file of another tool; `rank` means what it does for a file of tokens. */
export type Source = SheetSource & { rank?: number | undefined }

/** The reason why a file cannot be read: an unknown format, no styles, or damage. The message ends a sentence. */
export type SourceProblem = { kind: 'unknown' | 'empty' | 'damaged'; message: string }

/** A problem that is only a message is damage. */
type Read = Result<FoundStyles | TokenFile, SourceProblem | string>

/** Reads the styles in files of other tools. Detects the format from the bytes, and that of style sheets and YAML from the file name. */
export function readSources(sources: readonly Source[]): Result<FoundStyles, SourceProblem>[] {
  const sheets = readSheets(sources)
  const reads = sources.map(source => readSource(source, sheets.get(source)))
  // Tokens may refer to those of other files, so that these files are read together, in their order.
  const tokenFiles = reads.flatMap(read => (read.ok && 'root' in read.value ? [read.value] : []))
  const stylesOfTokens = readDesignTokens(tokenFiles)
  return reads.map((read, at) => {
    if (!read.ok)
      return failed(typeof read.problem === 'string' ? { kind: 'damaged', message: read.problem } : read.problem)
    if ('root' in read.value) {
      const styles = stylesOfTokens[tokenFiles.indexOf(read.value)] ?? failed('')
      return styles.ok ? styles : failed({ kind: 'empty', message: styles.problem })
    }
    const { colors, types, notes, sheet = NO_FACTS } = read.value
    if ([...colors, ...types, ...notes, ...sheet.faces, ...sheet.links].length === 0) return failed(NO_STYLE)
    return ok(sources[at]?.isApart ? { ...read.value, role: 'other' } : read.value)
  })
}

const NO_FACTS: SheetFacts = { faces: [], links: [] }

const NO_STYLE: SourceProblem = { kind: 'empty', message: 'has no colour and no type style' }

/** A file of text: its path, its text, and a place for its notes. */
type TextFile = StyleFile & { text: string }

/** Reads a file: swatches in bytes, or text with the first reader that knows its form. */
function readSource({ path, bytes, isApart = false, rank }: Source, sheet: SheetStyles | undefined): Read {
  const notes: Notes = new Map()
  const swatches = swatchColors(bytes, notes)
  if (swatches) return swatches
  const decoded = decodeText(bytes)
  if (decoded === undefined) return failed(undecodable(bytes))
  const file = { path, notes, isApart, rank, text: normalText(decoded) }
  const problem = file.text.trim() === '' ? 'is empty' : 'has an unknown format'
  return firstRead(READERS, file, sheet) ?? failed({ kind: 'unknown', message: `${problem}; ${SUPPORTED}` })
}

/** The result of the first of these readers that knows the form. Each gives undefined for another one. */
function firstRead<Given extends unknown[], Value>(
  readers: readonly ((...given: Given) => Value | undefined)[],
  ...given: Given
): Value | undefined {
  return readers
    .values()
    .map(read => read(...given))
    .find(value => value !== undefined)
}

/** The readers of text, those of the surest forms first. */
const READERS: readonly ((file: TextFile, sheet: SheetStyles | undefined) => Read | undefined)[] = [
  readPalette,
  readXml,
  readSheet,
  readFileData,
  ({ path, text, notes }) => readCsv(HEX.test(path) ? hexTable(text, notes) : text, notes),
]

const HEX = inFormats('hex')
const XML = inFormats('xml')

function readPalette({ text, notes }: TextFile): Read | undefined {
  const palette = readGpl(text)
  return palette && ok(paletteColors(palette, notes))
}

/** Resources of Android, or a palette of Scribus. */
function readXml({ text, ...file }: TextFile): Read | undefined {
  const { path, notes } = file
  if (!XML.test(path)) return undefined
  const xml = readFlatXml(text)
  if (!xml.ok) return xml
  const root = androidTokens(xml.value, notes, path)
  if (root) return tokensOf({ ...file, root })
  const palette = readScribus(xml.value)
  noteItems(palette?.others ?? [], notes)
  return palette && ok(swatchStyles(palette.swatches, notes))
}

function readSheet(file: TextFile, sheet: SheetStyles | undefined): Read | undefined {
  return sheet && tokensOf({ ...file, root: sheet.root, notes: sheet.notes, sheet: sheet.facts })
}

function readFileData({ text, ...file }: TextFile): Read | undefined {
  const data = readData(file.path, text, file.notes)
  return data?.ok ? stylesOf(data.value, file) : data
}

/** The problem with bytes that are not UTF-8. Other text, such as in Windows-1252, has no control characters. */
function undecodable(bytes: Uint8Array): SourceProblem | string {
  const isText = !bytes.subarray(0, 1000).some(byte => byte < 32 && !BREAKS.includes(byte))
  if (isText) return 'is text, but not UTF-8; save it as "CSV UTF-8" or as UTF-8, and try again'
  return { kind: 'unknown', message: `is neither a palette nor UTF-8 text; ${SUPPORTED}` }
}

const SUPPORTED =
  'supported formats: design tokens as JSON (Design Tokens 2025.10 and before, Figma, Tokens Studio, Style Dictionary), .css, .scss, .sass, _brand.yml, DESIGN.md, brand.json, the same in .tokens and .jsonc, .hex, .pal of JASC, .aco, .ase, .gpl, colour sets of Xcode, colors.xml of Android, palettes of Scribus in .xml, and .csv with a header that has name and hex, rgb or cmyk'
/** Tab, line feed and carriage return. */
const BREAKS = [9, 10, 13]

type StyleFile = Omit<TokenFile, 'root' | 'sheet'>

/** The styles in data by the first reader of its form, else the colours in lists. Pages and modules have only lists. */
function stylesOf({ value, form }: FileData, file: StyleFile): Read {
  const read = firstRead(DATA_READERS[form], value, file)
  if (read) return read
  // The notes of lists count only if there are colours. A page is mostly other data: its notes are not kept at all.
  const { path, notes } = file
  const listNotes: Notes = new Map(notes)
  const colors = listedColors(value, path, listNotes, HAS_ONLY_RECORDS.has(form))
  if (colors.length > 0) return ok({ colors, types: [], notes: form === 'page' ? notes : listNotes })
  if (form !== 'json')
    return failed({ kind: 'unknown', message: `has no colours or type styles that are known; ${SUPPORTED}` })
  return isObject(value)
    ? ok({ ...file, root: value })
    : failed({ kind: 'empty', message: 'has no design token: it is a list' })
}

const HAS_ONLY_RECORDS: ReadonlySet<FileData['form']> = new Set(['page', 'component'])

type DataReader = (value: Json, file: StyleFile) => Read | undefined

/** The readers of lists of our own styles, and of trees of tokens or what can be made into one, by the form of the data. */
const DATA_READERS: Readonly<Record<FileData['form'], readonly DataReader[]>> = {
  json: [ownStyles, ...[figmaVariables, adcpBrand, colorSetToken, wordPressTokens, ownTokens].map(readerOf)],
  yaml: [ownTypes, ...[ownTokens, ownBrand].map(readerOf)],
  other: [],
  component: [],
  page: [],
}

type TokenReader = (root: JsonObject, notes: Notes, path: string) => JsonObject | undefined

function readerOf(read: TokenReader): DataReader {
  return (value, file) => {
    const root = isObject(value) ? read(value, file.notes, file.path) : undefined
    return root && tokensOf({ ...file, root })
  }
}

/** The tokens of a `_brand.yml`, which has no values for print. */
function ownBrand(root: JsonObject, notes: Notes): JsonObject | undefined {
  return withNamesOutside(root) === root ? brandTokens(root, notes) : undefined
}

function ownTokens(root: JsonObject): JsonObject | undefined {
  return hasTokens(root) ? root : undefined
}

/** Whether an object outside lists is a token, has the styles of an export without one, or resolves tokens. */
function hasTokens(data: Json): boolean {
  return isObject(data) && (TOKEN_KEYS.some(key => data.has(key)) || [...data.values()].some(hasTokens))
}

const TOKEN_KEYS = ['$value', 'value', '$ref', '$extensions', 'resolutionOrder']

/** Tokens that a reader made; without any, its notes are all that is left of the file. */
function tokensOf(file: TokenFile): Read {
  const { root, notes, sheet } = file
  return ok(root.size > 0 ? file : withoutUndefined({ colors: [], types: [], notes, sheet }))
}

/** The styles in a list of type styles, as a guide has it. */
function ownTypes(value: Json, file: StyleFile): Read | undefined {
  return fileStem(file.path) === 'types' ? ownStyles(new Map([['types', value]]), file) : undefined
}

/** The styles in an export or a reply of housestyle, which has lists of them. */
function ownStyles(value: Json, { notes }: StyleFile): Read | undefined {
  const root: JsonObject = isObject(value) ? value : new Map()
  const lists = [...root.keys()].filter(key => key in LISTED && Array.isArray(root.get(key)))
  const names = (key: string) => listIn(root.get(key)).filter(item => textMember(item, 'name') !== undefined)
  // Other programs have lists of colours, too, with other keys.
  const isOwn = names('colors').some(item => SCREEN_KEYS.some(key => member(item, key) !== undefined))
  if (!isOwn && names('types').length === 0) return undefined
  noteOthers(root, [...HEAD_KEYS, ...lists], notes)
  return ok({ colors: listOf(root, 'colors', notes), types: listOf(root, 'types', notes), notes })
}

/** The other keys of such files. */
const HEAD_KEYS: readonly string[] = ['$schema', 'name', 'revision', 'snapshot', 'workspace', 'project']

function listOf(root: JsonObject, kind: 'colors' | 'types', notes: Notes): FoundStyle[] {
  const { entriesOf, keyOf, isInk } = LISTED[kind]
  return listIn(root.get(kind)).flatMap((item, at) => {
    const [id, name] = [textMember(item, 'id'), textMember(item, 'name')]
    if (!isObject(item) || name === undefined) {
      addNote(notes, `entry ${at + 1}`, 'noStyle')
      return []
    }
    const others = entriesOf(item).filter(([key]) => !NAMES.has(key))
    const inks = new Map(others.filter(([key]) => isInk(key)))
    const values = others.filter(([key]) => !inks.has(key))
    const fields = new Map(values.map(([key, value]) => [keyOf(key) ?? key, value]))
    if (inks.size > 0) fields.set('inks', inks)
    return [withoutUndefined({ id, name, fields })]
  })
}

const NAMES = wordSet('id name')

/** How the entries of an object in a list of each kind are read. */
const LISTED = {
  colors: { entriesOf: recordEntries, keyOf: colorKeyOf, isInk: namesInks },
  types: { entriesOf: (item: JsonObject) => [...item], keyOf: typeKeyOf, isInk: () => false },
}

/** A list of hex values as a table with the same lines; any other text as it is. */
function hexTable(text: string, notes: Notes): string {
  const lines = text.split('\n').map(line => line.trim())
  if (!lines.some(line => HEX_LINE.test(line))) return text
  const rows = lines.map(line => {
    const sign = COMMENTS.find(sign => line.startsWith(sign))
    if (sign === undefined) return line.replace(HEX_LINE, '#$1,#$1')
    addNote(notes, line.slice(sign.length).trim(), 'comment')
    return ''
  })
  return ['name,hex', ...rows].join('\n')
}

const HEX_LINE = /^#?([\da-f]{3,8})$/i
const COMMENTS = [';', '//']
