import { addNote, type FoundStyle, type FoundStyles, type Notes } from '#brand/tokens/found-styles.ts'
import type { TokenFile } from '#brand/tokens/token-tree.ts'
import { isObject, type Json, type JsonObject, textMember } from '#formats/json/json.ts'
import { readGpl } from '#formats/palette/gpl.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { type FileData, readData } from './data.ts'
import { columnKey, readCsv, USUAL_INKS } from './palettes/csv.ts'
import { paletteColors, swatchColors } from './palettes/swatches.ts'
import { listedColors } from './palettes/value-table.ts'
import { cssVariables } from './style-sheets/css-variables.ts'
import { adcpBrand, brandTokens, noteOthers } from './tokens/brand-files.ts'
import { readDesignTokens } from './tokens/design-tokens.ts'
import { figmaVariables } from './tokens/figma-variables.ts'

/** A file of another tool; `path`, `isApart` and `rank` mean what they do for a file of tokens. */
export type Source = { path: string; bytes: Uint8Array; isApart?: boolean; rank?: number | undefined }

/** The reason why a file cannot be read: an unknown format, no styles, or damage. The message ends a sentence. */
export type SourceProblem = { kind: 'unknown' | 'empty' | 'damaged'; message: string }

/** A problem that is only a message is damage. */
type Read = Result<FoundStyles | TokenFile, SourceProblem | string>

/** Reads the styles in files of other tools. Detects the format from the bytes, and that of style sheets and YAML from the file name. */
export function readSources(sources: readonly Source[]): Result<FoundStyles, SourceProblem>[] {
  const reads = sources.map(readSource)
  // Tokens may refer to those of other files, so that these files are read together, in their order.
  const tokenFiles = reads.flatMap(read => (read.ok && 'root' in read.value ? [read.value] : []))
  const stylesOfTokens = readDesignTokens(tokenFiles)
  return reads.map((read, at) => {
    if (!read.ok)
      return failed(typeof read.problem === 'string' ? { kind: 'damaged', message: read.problem } : read.problem)
    const { faces } = read.value
    if (!('root' in read.value)) {
      const { colors, types, notes } = read.value
      if ([...colors, ...types, ...notes, ...(faces ?? [])].length === 0) return failed(NO_STYLE)
      return ok(sources[at]?.isApart ? { ...read.value, role: 'other' } : read.value)
    }
    const styles = stylesOfTokens[tokenFiles.indexOf(read.value)]
    return styles?.ok
      ? ok({ ...styles.value, ...(faces && { faces }) })
      : failed({ kind: 'empty', message: styles?.problem ?? '' })
  })
}

const NO_STYLE: SourceProblem = { kind: 'empty', message: 'has no colour and no type style' }

/** Reads a file: swatches in bytes, then palettes as text, style sheets, data such as JSON and YAML, and tables. */
function readSource({ path, bytes, isApart = false, rank }: Source): Read {
  const notes: Notes = new Map()
  const file = { path, notes, isApart, rank }
  const swatches = swatchColors(bytes, notes)
  if (swatches) return swatches
  const decoded = decodeText(bytes)
  if (decoded === undefined) return failed(undecodable(bytes))
  const withoutMark = decoded.replace(/^\ufeff/, '')
  const text = /\.hex$/i.test(path) ? hexTable(withoutMark, notes) : withoutMark
  const palette = readGpl(text)
  if (palette) return ok(paletteColors(palette, notes))
  const syntax = /\.(s?css)$/i.exec(path)?.[1]?.toLowerCase()
  if (syntax === 'css' || syntax === 'scss') return tokensOf({ ...file, ...cssVariables(text, syntax, notes) })
  const data = readData(path, text, notes)
  if (data?.ok) return stylesOf(data.value, file)
  const problem = text.trim() === '' ? 'is empty' : 'has an unknown format'
  return data ?? readCsv(text, notes) ?? failed({ kind: 'unknown', message: `${problem}; ${SUPPORTED}` })
}

/** The problem with bytes that are not UTF-8. Other text, such as in Windows-1252, has no control characters. */
function undecodable(bytes: Uint8Array): SourceProblem | string {
  const isText = !bytes.subarray(0, 1000).some(byte => byte < 32 && !BREAKS.includes(byte))
  if (isText) return 'is text, but not UTF-8; save it as "CSV UTF-8" or as UTF-8, and try again'
  return { kind: 'unknown', message: `is neither a palette nor UTF-8 text; ${SUPPORTED}` }
}

const SUPPORTED =
  'supported formats: design tokens as JSON (Design Tokens 2025.10 and before, Figma, Tokens Studio, Style Dictionary), .css, .scss, _brand.yml, DESIGN.md, brand.json, the same in .tokens and .jsonc, .hex, .pal of JASC, .aco, .ase, .gpl, and .csv with a header that has name and hex, rgb or cmyk'
/** Tab, line feed and carriage return. */
const BREAKS = [9, 10, 13]

type StyleFile = Omit<TokenFile, 'root'>

/**
 * The styles in data: lists of our own styles, else tokens, also in a form of other programs, else the colours in lists.
 * Pages and modules have only lists.
 */
function stylesOf({ value, form }: FileData, file: StyleFile): Read {
  const root = isObject(value) ? value : undefined
  const styles = form === 'json' && root && ownStyles(root, file.notes)
  if (styles) return ok(styles)
  const tokens = root && (form === 'json' || form === 'yaml') ? tokensIn(root, form, file.notes) : undefined
  if (tokens) return tokensOf({ ...file, root: tokens })
  // The notes of lists count only if there are colours. A page is mostly other data: its notes are not kept at all.
  const listNotes: Notes = new Map(file.notes)
  const colors = listedColors(value, file.path, listNotes, form === 'page')
  if (colors.length > 0) return ok({ colors, types: [], notes: form === 'page' ? file.notes : listNotes })
  if (form !== 'json')
    return failed({ kind: 'unknown', message: `has no colours or type styles that are known; ${SUPPORTED}` })
  return root ? ok({ ...file, root }) : failed({ kind: 'empty', message: 'has no design token: it is a list' })
}

/** An object that is a tree of tokens, or made into one. */
function tokensIn(root: JsonObject, form: 'json' | 'yaml', notes: Notes): JsonObject | undefined {
  const designTokens = hasTokens(root) ? root : undefined
  if (form === 'yaml') return designTokens ?? brandTokens(root, notes)
  return figmaVariables(root, notes) ?? adcpBrand(root, notes) ?? designTokens
}

/** Whether an object outside lists is a token, has the styles of an export without one, or resolves tokens. */
function hasTokens(data: Json): boolean {
  return isObject(data) && (TOKEN_KEYS.some(key => data.has(key)) || [...data.values()].some(hasTokens))
}

const TOKEN_KEYS = ['$value', 'value', '$ref', '$extensions', 'resolutionOrder']

/** Tokens that a reader made; without any, its notes are all that is left of the file. */
function tokensOf(file: TokenFile): Read {
  const { root, faces = [], notes } = file
  return ok(root.size > 0 ? file : { colors: [], types: [], notes, faces })
}

/** The styles in an export or a reply of housestyle, which has lists of them. */
function ownStyles(root: JsonObject, notes: Notes): FoundStyles | undefined {
  const [colors, types] = [root.get('colors'), root.get('types')]
  const hasNames = (list: Json | undefined) =>
    Array.isArray(list) && list.some(item => textMember(item, 'name') !== undefined)
  if (![colors, types].some(hasNames)) return undefined
  const lists = ['colors', 'types'].filter(key => Array.isArray(root.get(key)))
  noteOthers(root, [...HEAD_KEYS, ...lists], notes)
  return { colors: listOf(colors, 'colors', notes), types: listOf(types, 'types', notes), notes }
}

/** The other keys of such files. */
const HEAD_KEYS: readonly string[] = ['$schema', 'name', 'revision', 'snapshot', 'workspace', 'project']

function listOf(list: Json | undefined, kind: 'colors' | 'types', notes: Notes): FoundStyle[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item, at) => {
    const id = textMember(item, 'id')
    const name = textMember(item, 'name')
    if (!isObject(item) || name === undefined) {
      addNote(notes, `entry ${at + 1}`, 'noStyle')
      return []
    }
    const others = [...item].filter(([key]) => key !== 'id' && key !== 'name')
    const isInk = (key: string) => kind === 'colors' && USUAL_INKS.test(key)
    const inks = others.filter(([key]) => isInk(key))
    const fields = new Map(others.flatMap(([key, value]) => (isInk(key) ? [] : [[columnKey(key, kind) ?? key, value]])))
    if (inks.length > 0) fields.set('inks', new Map(inks))
    return [withoutUndefined({ id, name, fields })]
  })
}

/** A list of hex values as a table; any other text as it is. */
function hexTable(text: string, notes: Notes): string {
  if (text.search(HEX_LINE) === -1) return text
  for (const [, comment = ''] of text.matchAll(HEX_COMMENT)) addNote(notes, comment, 'comment')
  return `name,hex\n${text.replace(HEX_COMMENT, '').replace(HEX_LINE, '#$1,#$1')}`
}

const HEX_LINE = /^[ \t]*#?([\da-f]{3,8})[ \t]*$/gim
const HEX_COMMENT = /^[ \t]*(?:;|\/\/)[ \t]*(.*)$/gm
