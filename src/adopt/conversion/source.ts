import { addNote, type FoundStyle, type FoundStyles, type Notes } from '#brand/formats/found-styles.ts'
import { isObject, type Json, type JsonObject, jsonOf, parseJson, textMember } from '#brand/formats/json.ts'
import type { TokenFile } from '#brand/formats/token-tree.ts'
import { hexText } from '#brand/styles/screen-color.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { readYaml } from '#intake/yaml/yaml.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { hasPageData, otherData } from './data.ts'
import { isAco, readAco } from './palettes/aco.ts'
import { isAse, readAse } from './palettes/ase.ts'
import { isStyleTable, keyOf, readCsv, USUAL_INKS } from './palettes/csv.ts'
import { listedColors } from './palettes/value-table.ts'
import { cssVariables, fontFaces } from './style-sheets/css-variables.ts'
import { adcpBrand, brandTokens, jsonOfYaml } from './tokens/brand-files.ts'
import { readDesignTokens } from './tokens/design-tokens.ts'
import { figmaVariables } from './tokens/figma-variables.ts'

/** A file of another tool; `path`, `isApart` and `rank` mean what they do for a file of tokens. */
export type Source = { path: string; bytes: Uint8Array; isApart?: boolean; rank?: number }

/** The reason why a file cannot be read: an unknown format, no styles, or damage. The message ends a sentence. */
export type SourceProblem = { kind: 'unknown' | 'empty' | 'damaged'; message: string }

type Read = Result<FoundStyles | TokenFile, SourceProblem>

/** Reads the styles in files of other tools. Detects the format from the bytes, and that of style sheets and YAML from the file name. */
export function readSources(sources: readonly Source[]): Result<FoundStyles, SourceProblem>[] {
  const reads = sources.map(readSource)
  const tokenFiles = reads.flatMap(read => (read.ok && 'root' in read.value ? [read.value] : []))
  const styles = readDesignTokens(tokenFiles)
  return reads.map((read, at) => {
    if (!read.ok) return read
    if (!('root' in read.value)) return ok(sources[at]?.isApart ? { ...read.value, role: 'other' } : read.value)
    const found = styles[tokenFiles.indexOf(read.value)]
    const { faces } = read.value
    return found?.ok
      ? ok({ ...found.value, ...(faces && { faces }) })
      : failed({ kind: 'empty', message: found?.problem ?? '' })
  })
}

function readSource({ path, bytes, isApart = false, rank }: Source): Read {
  const notes: Notes = new Map()
  const file = { path, notes, isApart, rank }
  if (isAse(bytes)) return withProblem(readAse(bytes, notes))
  if (isAco(bytes)) return withProblem(readAco(bytes, notes))
  const decoded = decodeText(bytes)
  if (decoded === undefined && !bytes.subarray(0, 1000).some(byte => byte < 32 && !BREAKS.includes(byte)))
    return failed({
      kind: 'damaged',
      message: 'is text, but not UTF-8; save it as "CSV UTF-8" or as UTF-8, and try again',
    })
  if (decoded === undefined)
    return failed({ kind: 'unknown', message: `is neither a palette nor UTF-8 text; ${SUPPORTED}` })
  const text = decoded.replace(/^\ufeff/, '')
  if (GPL_START.test(text)) return withProblem(readGpl(text, notes))
  if (/\.hex$/i.test(path) && text.search(HEX_LINE) !== -1) {
    for (const [, comment = ''] of text.matchAll(HEX_COMMENT)) addNote(notes, comment, 'comment')
    return withProblem(readCsv(`name,hex\n${text.replace(HEX_COMMENT, '').replace(HEX_LINE, '#$1,#$1')}`, notes))
  }
  const format = /\.(css|scss|ya?ml|md|json5)$/i.exec(path)?.[1]?.toLowerCase()
  if (format === 'json5') return failed({ kind: 'damaged', message: 'is JSON5; write it as JSON, and try again' })
  if (format === 'css' || format === 'scss')
    return tokensOf(cssVariables(text, format, notes), { ...file, faces: fontFaces(text, format) })
  if (hasPageData(path, text) && !/(?:^|\/)DESIGN\.md$/.test(path)) return readRecords(pageData(text, path), file, true)
  if (format !== undefined) return readBrandYaml({ ...file, text })
  const data = otherData(path, text)
  if (data !== undefined) return readRecords(data, file, false)
  const json = /\.jsonc$/i.test(path) ? withoutComments(withoutComments(text)) : text
  if (/^\s*[{[]/.test(json)) return readTokens({ ...file, text: json })
  if (isStyleTable(text)) return withProblem(readCsv(text, notes))
  const what = text.trim() === '' ? 'is empty' : 'has an unknown format'
  return failed({ kind: 'unknown', message: `${what}; ${SUPPORTED}` })
}

const SUPPORTED =
  'supported formats: design tokens as JSON (Design Tokens 2025.10 and before, Figma, Tokens Studio, Style Dictionary), .css, .scss, _brand.yml, DESIGN.md, brand.json, the same in .tokens and .jsonc, .hex, .pal of JASC, .aco, .ase, .gpl, and .csv with a header that has name and hex, rgb or cmyk'
/** Tab, line feed and carriage return. */
const BREAKS = [9, 10, 13]

type TextFile = Omit<TokenFile, 'root'> & { text: string }

/** Reads a `_brand.yml`, or the front matter of a `DESIGN.md`. */
function readBrandYaml({ text, ...file }: TextFile): Read {
  const yaml = file.path.endsWith('.md') ? (splitFrontMatter(text).yaml ?? '') : text
  const { root: node, problems } = readYaml(yaml)
  const root = node && jsonOfYaml(node)
  const why = problems[0]?.message
  if (why !== undefined) return failed({ kind: 'damaged', message: `is not YAML that can be read: ${why}` })
  const tokens = isObject(root) && !hasTokens(root) ? brandTokens(root, file.notes) : undefined
  return (
    withTokens(root ?? null, file, tokens) ??
    failed({ kind: 'unknown', message: `has no colours or type styles that are known; ${SUPPORTED}` })
  )
}

/** The colours in lists of records; only those with a name and a value for pages, whose other data is not about them. */
function readRecords(data: Json, { path, notes }: Omit<TokenFile, 'root'>, isOfPage: boolean): Read {
  const colors = listedColors(data, path, isOfPage ? new Map() : notes, isOfPage)
  return colors.length > 0 ? ok({ colors, types: [], notes }) : failed({ kind: 'unknown', message: 'has no colours' })
}

function pageData(text: string, path: string): Json {
  const { root } = readYaml(splitFrontMatter(text).yaml ?? '')
  return root ? jsonOfYaml(root) : (otherData(path, text) ?? null)
}

/** The tokens of data, those that a known form gives, or the colours in its lists; undefined if it has none. */
function withTokens(data: Json, file: Omit<TokenFile, 'root'>, known?: JsonObject): Read | undefined {
  const root = known ?? (isObject(data) && hasTokens(data) ? data : undefined)
  if (root !== undefined) return tokensOf(root, file)
  const notes: Notes = new Map(file.notes)
  const colors = listedColors(data, file.path, notes)
  return colors.length > 0 ? ok({ colors, types: [], notes }) : undefined
}

/** Whether an object outside lists is a token, has the styles of an export without one, or resolves tokens. */
function hasTokens(data: Json): boolean {
  return isObject(data) && (TOKEN_KEYS.some(key => data.has(key)) || [...data.values()].some(hasTokens))
}

const TOKEN_KEYS = ['$value', 'value', '$ref', '$extensions', 'resolutionOrder']

/** Tokens that a reader made; without any, its notes are all that is left of the file. */
function tokensOf(root: JsonObject, file: Omit<TokenFile, 'root'>): Read {
  const { faces = [], notes } = file
  if (root.size > 0) return ok({ ...file, root })
  return notes.size + faces.length > 0
    ? ok({ colors: [], types: [], notes, faces })
    : failed({ kind: 'empty', message: 'has no variables' })
}

function readTokens({ text, ...file }: TextFile): Read {
  const { notes } = file
  const json = parseJson(text, key => addNote(notes, key, 'twice'))
  if (!json.ok) return failed({ kind: 'damaged', message: json.problem })
  const root = jsonOf(json.value)
  if (!isObject(root))
    return withTokens(root, file) ?? failed({ kind: 'empty', message: 'has no design token: it is a list' })
  // Exports and replies of housestyle have lists of colours or type styles.
  const [colors, types] = [root.get('colors'), root.get('types')]
  if (![colors, types].some(list => Array.isArray(list) && list.some(item => textMember(item, 'name') !== undefined)))
    return withTokens(root, file, figmaVariables(root, notes) ?? adcpBrand(root, notes)) ?? ok({ ...file, root })
  for (const [key, value] of root)
    if (!HEAD_KEYS.includes(key) && !(/^(?:colors|types)$/.test(key) && Array.isArray(value)))
      addNote(notes, key, 'unread')
  return ok({ colors: listOf(colors, 'colors', notes), types: listOf(types, 'types', notes), notes })
}

/** The other keys of such files. */
const HEAD_KEYS: readonly string[] = ['$schema', 'name', 'revision', 'snapshot', 'workspace', 'project']

function withProblem(read: Result<FoundStyles, string>): Result<FoundStyles, SourceProblem> {
  return read.ok ? ok(read.value) : failed({ kind: 'damaged', message: read.problem })
}

function listOf(list: Json | undefined, kind: 'colors' | 'types', notes: Notes): FoundStyle[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item, at) => {
    const [id, name] = [textMember(item, 'id'), textMember(item, 'name')]
    if (!isObject(item) || name === undefined) {
      addNote(notes, `entry ${at + 1}`, 'noStyle')
      return []
    }
    const others = [...item].filter(([key]) => key !== 'id' && key !== 'name')
    const isInk = (key: string) => kind === 'colors' && USUAL_INKS.test(key)
    const inks = others.filter(([key]) => isInk(key))
    const fields = new Map(others.flatMap(([key, value]) => (isInk(key) ? [] : [[keyOf(key, kind) ?? key, value]])))
    if (inks.length > 0) fields.set('inks', new Map(inks))
    return [withoutUndefined({ id, name, fields })]
  })
}

/** JSON with comments without them, or in a second run, without commas before a closing bracket; places stay. */
function withoutComments(text: string): string {
  return text.replace(COMMENT, (part, string?: string) => string ?? part.replace(/\S/g, ' '))
}

const COMMENT = /("[^"\\]*(?:\\.[^"\\]*)*"?)|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|,(?=\s*[}\]])/g

const HEX_LINE = /^[ \t]*#?([\da-f]{3,8})[ \t]*$/gim
const HEX_COMMENT = /^[ \t]*(?:;|\/\/)[ \t]*(.*)$/gm
const GPL_START = /^(?:GIMP Palette|JASC-PAL)[ \t]*(?:\r?\n|\r|$)/

/** Reads lines of `R G B<tab>name`, with an alpha after `Channels: RGBA` or if a line of JASC has one. A colour without a name is named by its hex. */
function readGpl(text: string, notes: Notes): Result<FoundStyles, string> {
  const head = text.startsWith('JASC') ? 3 : 1
  const lines = text.split(/\r\n|\n|\r/).slice(head)
  const hasAlpha = lines.some(line => (head === 3 ? /^(?:\d+\s+){3}\d+\s*$/ : /^Channels:\s*RGBA/i).test(line))
  const colors = lines.flatMap((line, at) => readLine(line, at + head + 1, hasAlpha, notes))
  return ok({ colors, types: [], notes })
}

function readLine(line: string, number: number, hasAlpha: boolean, notes: Notes): FoundStyle[] {
  const comment = /^\s*#\s*(.*)$/.exec(line)?.[1]
  if (comment) addNote(notes, comment, 'comment')
  if (line.trim() === '' || comment !== undefined || /^(?:Name|Columns|Channels):/.test(line)) return []
  const [, red, green, blue, rest = ''] = /^\s*(\d{1,3})\s+(\d{1,3})\s+(\d{1,3})(?:\s+(.*))?$/.exec(line) ?? []
  const [, alpha = '255', label = hasAlpha ? '' : rest] = hasAlpha
    ? (/^(\d{1,3})(?:\s+(.*)|$)/.exec(rest) ?? ['', 'none'])
    : []
  const channels = [red, green, blue, alpha].map(Number)
  if (!channels.every(channel => channel <= 255)) {
    addNote(notes, { name: `line ${number}`, line: number }, 'noChannels', hasAlpha ? 'four' : 'three')
    return []
  }
  if (alpha !== '255') {
    addNote(notes, { name: label.trim() || `line ${number}`, line: number }, 'notOpaque')
    return []
  }
  const [r = 0, g = 0, b = 0] = channels
  const hex = hexText([r, g, b])
  const name = label.trim()
  return [{ name: name === '' || name === 'Untitled' ? hex : name, fields: new Map([['hex', hex]]) }]
}
