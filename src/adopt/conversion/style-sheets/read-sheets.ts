import { dirname, extname, join } from 'node:path/posix'
import { addNote, type Notes, type SheetFacts } from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import { cssAddresses } from '#formats/css/addresses.ts'
import {
  type CssBlock,
  type CssSheet,
  contextOf,
  type Declaration,
  declarationsOf,
  rootValues,
  winnersOf,
} from '#formats/css/cascade.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { fontFaces, isFaceProperty } from '#formats/css/font-faces.ts'
import { type CssSyntax, plainSheet } from '#formats/css/parse-css.ts'
import { cssFamilies, cssList, plainValue } from '#formats/css/values.ts'
import { expand, isVariable, type Variables, valuesOf } from '#formats/css/variables.ts'
import { type Json, jsonText } from '#formats/json/json.ts'
import { decodeText } from '#platform/base/bytes.ts'
import { valuesAt } from '#platform/base/object.ts'
import { lineCounter, withoutQuery, wordSet, wordTable } from '#platform/base/text.ts'
import { THEME_PREFIXES } from '../../sources/generators/theme-prefixes.ts'
import type { SassReading } from './compile-sheets.ts'
import { placesOf, type VariablePlace } from './sass-places.ts'
import {
  type ChannelFunctions,
  channelFunctions,
  colorText,
  type VariableScope,
  variableKey,
  variableToken,
} from './variable-token.ts'

/** A file that may be a style sheet; one that `isApart` is for another scheme, and is read alone. `sass` is for those in Sass. */
export type SheetSource = { path: string; bytes: Uint8Array; isApart?: boolean; sass?: SassReading }

/** The variables of a sheet as tokens, and what it says besides. */
export type SheetStyles = { root: Map<string, Json>; facts: SheetFacts; notes: Notes }

/**
 * Reads style sheets together, each in the place where another imports it: custom properties of the root, in Tailwind's
 * `@theme` and of `@property`, and variables and maps of SCSS. The value that browsers compute on a wide screen counts;
 * the others are noted, each with its line. A reference such as `var(--ink)` becomes `{ink}`, so that it crosses files.
 */
export function readSheets(sources: readonly SheetSource[]): ReadonlyMap<SheetSource, SheetStyles> {
  const opened = new Map(sources.flatMap(openSheet))
  const sheets = [...opened.values()]
  const functions = channelFunctions(sheets.map(({ text }) => text))
  const byKey = new Map(sheets.map(sheet => [sheet.key, sheet]))
  for (const page of pagesOf(sheets)) {
    const loaded = valuesAt(byKey, page.loaded)
    readPage(page, page.sass?.text ? [page, ...loaded] : [], functions)
  }
  return opened
}

/** A sheet that is being read; `text` is CSS if Sass has compiled it, and `source` as written. */
type OpenSheet = CssSheet & SheetStyles & Pick<SassReading, 'key' | 'loaded'> & SheetSource & OpenText

type OpenText = { source: string; lineAt: (offset: number) => number }

/** A source with its sheet; empty for other files. */
function openSheet(file: SheetSource): [SheetSource, OpenSheet][] {
  const end = extname(file.path).toLowerCase()
  const syntax = SYNTAXES.get(end)
  if (syntax === undefined) return []
  const source = plainSheet(decodeText(file.bytes) ?? '', syntax)
  const { key, loaded, problem, text = end === '.sass' ? '' : source } = file.sass ?? { key: '', loaded: [] }
  const notes: Notes = new Map()
  if (problem !== undefined) addNote(notes, { name: 'the sheet', value: 'is read without it' }, 'sassRefused', problem)
  // The lines of CSS that Sass has made are in no file.
  const own = text === source ? { syntax, lineAt: lineCounter(text) } : COMPILED
  const sheet = { ...file, ...own, key, loaded, source, text, open: () => undefined }
  return [[file, { ...sheet, root: new Map(), facts: { faces: [], links: [] }, notes }]]
}

const COMPILED = { syntax: 'css', lineAt: () => 1 } as const
const SYNTAXES = wordTable<CssSyntax>([
  ['css', '.css'],
  ['scss', '.scss .sass'],
])

/** Yields each sheet once, with those that it imports: first the sheets that no other imports. */
function* pagesOf(sheets: readonly OpenSheet[]): Generator<OpenSheet> {
  const byPath = new Map(sheets.flatMap(sheet => (sheet.isApart ? [] : [[join(sheet.path), sheet]])))
  const at = ({ path }: OpenSheet, address: string) => byPath.get(join(dirname(path), withoutQuery(address)))
  const importing = sheets.filter(({ text, syntax }) => syntax === 'css' && text.includes('@import'))
  const imported = new Set<OpenSheet | undefined>()
  // Nothing is wanted, so that the sheet is read to its end.
  for (const sheet of importing)
    declarationsOf([{ ...sheet, open: address => void imported.add(at(sheet, address)) }], {
      wants: () => false,
    }).next()
  const left = new Set(sheets)
  for (const sheet of importing)
    sheet.open = address => {
      const target = at(sheet, address)
      return target && left.delete(target) ? target : undefined
    }
  for (const sheet of [...sheets.filter(each => !imported.has(each)), ...sheets]) if (left.delete(sheet)) yield sheet
}

/**
 * Adds the tokens, faces and colours of links of a sheet and of those that it imports, and notes on their other values. If Sass has made it
 * of files, these get what they set.
 */
function readPage(page: OpenSheet, files: readonly OpenSheet[], functions: ChannelFunctions): void {
  const ownerOf = (sheet: CssSheet = page) => (isOpen(sheet) ? sheet : page)
  const onTooDeep = (sheet: CssSheet) => addNote(ownerOf(sheet).notes, 'the sheet', 'nestedTooDeep')
  const all = [...declarationsOf([page], { wants, onTooDeep })]
  const winners = winnersOf(all)
  const scope = rootValues(winners)
  const allPlaces = placesOf(files)
  const places = new Map(allPlaces.toReversed().map(place => [place.name, place]))
  for (const declaration of all.filter(({ name }) => isPublic(name))) {
    const { name, value, sheet, at } = declaration
    const owner = ownerOf(sheet)
    const place = places.get(name) ?? { file: owner, name, line: owner.lineAt(at), written: value }
    readVariable(declaration, winners.get(declaration), place, { scope, functions })
  }
  noteOthers(allPlaces, scope)
  // A variable is only named after links, and a rule paints them.
  const { rules = [], variables = [] } = Object.groupBy(all.filter(isOfLinks), ({ name }) =>
    PAINTS.has(name) ? 'rules' : 'variables',
  )
  for (const { value, sheet } of [...rules, ...variables])
    ownerOf(sheet).facts.links.push(readCssColor(expand(value, scope) ?? value)?.hex ?? '')
  for (const face of fontFaces(all)) {
    const family = cssFamilies(face.family).join(', ')
    const addresses = face.sources.flatMap(source => Array.from(cssAddresses(source), ({ address }) => address))
    if (family !== '') ownerOf(face.sheet).facts.faces.push({ family, addresses })
  }
}

/** Notes the colours that Sass has not given to a variable: defaults, and values inside of functions. */
function noteOthers(places: readonly VariablePlace<OpenSheet>[], scope: Variables): void {
  for (const { file, name, line, written } of places.filter(place => place.name.startsWith('$'))) {
    const value = plainValue(written)
    const [other, own] = [value, ...valuesOf(name, scope)].map(css => readCssColor(css)?.hex)
    if (other !== own && other !== undefined) addNote(file.notes, { name, value, line }, 'secondVariable')
  }
}

function isOpen(sheet: CssSheet): sheet is OpenSheet {
  return 'notes' in sheet
}

function wants(name: string, block: CssBlock): boolean {
  const isInitial = name === 'initial-value' && isPublic(block.prelude)
  return isPublic(name) || isInitial || isFaceProperty(name, block) || isOfLinks({ name, block })
}

/** Whether a property is a variable, except private ones of Sass: `$-ink`, `$_ink`. */
function isPublic(property: string): boolean {
  return isVariable(property) && !property.startsWith('$-')
}

/** Whether a declaration gives links or buttons their colour, or is a variable for that. */
function isOfLinks({ name, block }: Pick<Declaration, 'name' | 'block'>): boolean {
  const colored = name.split('-').findLast(word => !VALUE_WORDS.has(word)) ?? ''
  const isLinkVariable = name.startsWith('--') && LINK_WORDS.has(colored)
  return isLinkVariable || (PAINTS.has(name) && cssList(block.prelude).some(each => LINKS.has(each)))
}

/** The last words of `--link`, `--md-accent-fg-color` and `--brand-1`, and words after them. */
const LINK_WORDS = wordSet('link accent primary brand')
const VALUE_WORDS = wordSet('fg color 1')
const PAINTS = wordSet('color background background-color')
const LINKS = wordSet('a a:link button .button .button-primary .button--primary .btn .btn-primary .btn--primary')

/** Adds the token of a variable that counts for the root, or a note on its value. */
function readVariable(
  declaration: Declaration,
  winner: Declaration | undefined,
  { file: { root, notes }, line, written }: VariablePlace<OpenSheet>,
  { scope, functions }: VariableScope,
): void {
  const { name, block } = declaration
  const [, , prefix = ''] = name.split('-')
  const value = aliasOf(written, declaration.value, scope)
  const isWinner = winner?.value === declaration.value
  const isOfRoot = contextOf(block) === ''
  const colorOf = (css: string) => colorText(css, name, { functions, scope: isOfRoot ? scope : new Map() })
  const color = colorOf(value)
  const subject = { name, value: color ?? value, line }
  const scheme = block.heads.find(isForScheme)
  if (color === undefined && THEME_PREFIXES.has(prefix)) return
  if (isOfRoot && isWinner) {
    const onDark = (dark: string) => addNote(notes, { ...subject, value: dark }, 'otherScheme', 'dark')
    const token = variableToken(value, variableKey(name), colorOf, onDark)
    const before = root.get(variableKey(name)) ?? token
    if (jsonText(before) === jsonText(token)) root.set(variableKey(name), token)
    else addNote(notes, subject, 'secondVariable')
  } else if (isOfRoot || (scheme && !isWinner)) addNote(notes, subject, 'secondVariable')
  else if (scheme !== undefined) addNote(notes, subject, 'otherScheme', scheme)
  else if (color !== undefined) addNote(notes, subject, 'singleElements')
}

/** The name of another variable of Sass if that is the value as written, and it has this value. */
function aliasOf(written: string, value: string, scope: Variables): string {
  const name = plainValue(written).replaceAll('_', '-')
  return valuesOf(name, scope).includes(value) ? name : value
}

/** Whether a block is for the whole page in another scheme; `.button-dark` is not. */
function isForScheme(head: string): boolean {
  const isOfPage = PAGE_STARTS.some(start => head.startsWith(start)) || SCHEME_WORDS.some(word => head.includes(word))
  return isOfPage && isOtherScheme(head)
}

const PAGE_STARTS = ['@', ':', '[', 'html', 'body', '.dark']
const SCHEME_WORDS = ['theme', 'mode', 'scheme', 'contrast']
