import { type CssSyntax, parseCss } from '#formats/css/parse-css.ts'
import { type Budget, spend } from '#formats/json/budget.ts'
import { perObject } from '#platform/base/object.ts'
import { anyOf, wordSet, wordsIn } from '#platform/base/text.ts'
import type { Sheets } from '../source.ts'

/** Distinct values of variables as written, by name with `--` or `$`, and the fonts of `@font-face` by `faceKey`. */
export type Variables = Map<string, Set<string>>

/** Adds the variables and fonts of a sheet and of all that it imports, at most 200 sheets. */
export function collectVariables(text: string, syntax: CssSyntax, sheets: Sheets, into: Variables = new Map()) {
  const collection: Collection = { into, sheets: [{ text, syntax, sheets }], face: NO_FACE, isRoot: false }
  // The loop also visits the imported sheets, which `addImports` appends.
  for (const sheet of collection.sheets)
    for (const part of parseCss(sheet.text, sheet.syntax)) {
      if (part.kind === 'end') endBlock(collection)
      if ('name' in part) COLLECTORS[part.kind](collection, part.name, sheet.text.slice(part.start, part.end), sheet)
    }
  return into
}

type Sheet = { text: string; syntax: CssSyntax; sheets: Sheets }

/** The state of a walk. `face` and `isRoot` are those of the block at hand: an `@font-face`, or a rule for the root element. */
type Collection = { into: Variables; sheets: Sheet[]; face: Face; isRoot: boolean }

/** The family that an `@font-face` names, and its fonts: names of installed ones, and names of files. */
type Face = { family: string; sources: string[] }

const NO_FACE: Readonly<Face> = { family: '', sources: [] }

function endBlock(collection: Collection): void {
  const { face, into } = collection
  for (const source of face.sources) addVariable(faceKey(face.family), source, into)
  collection.isRoot = false
}

type Collector = (collection: Collection, name: string, value: string, sheet: Sheet) => void

/** The collectors of the parts of a sheet that have names. */
const COLLECTORS: Readonly<Record<'block' | 'declaration' | 'statement', Collector>> = {
  block: (collection, name, selector) => {
    collection.face = name === 'font-face' ? { family: '', sources: [] } : NO_FACE
    collection.isRoot = ROOT.test(selector)
  },
  declaration: ({ face, isRoot, into }, name, value) => {
    if (face !== NO_FACE) readDescriptor(name, value, face)
    if (isVariable(name)) addVariable(name, value, into)
    if (isRoot && SIZES.has(name)) addVariable(ROOT_SIZE, value, into)
  },
  statement: (collection, name, value, sheet) => {
    if (IMPORTS.has(name)) addImports(collection, addressesOf(value, name, sheet.syntax), sheet)
  },
}

/** A list of selectors that has `html` or `:root`. */
const ROOT = /^(?:.{0,200},)?\s*(?:html|:root)\s*(?![^,])/is
const SIZES = wordSet('font font-size')
const IMPORTS = wordSet('import use forward')

/** The name of the sizes that sheets give to the root element: there, `rem` is not 16 px. */
export const ROOT_SIZE = '@root'

/** Adds the family or the fonts of an `@font-face`: `Acme Sans` of `local("Acme Sans")`, `acme.woff2` of `url(/a/acme.woff2?1)`. */
function readDescriptor(name: string, value: string, face: Face): void {
  if (name === 'font-family') face.family = plainValue(value).replace(/["']/g, '')
  if (name !== 'src') return
  for (const [, kind = '', text = ''] of value.matchAll(/\b(local|url)\(\s*["']?([^"')]{1,300})/gi))
    face.sources.push(kind.toLowerCase() === 'local' ? text : text.replace(/[?#].*$|^.*\//gs, ''))
}

/** Adds the sheets at addresses, each from its first candidate that can be opened. */
function addImports({ sheets: queue }: Collection, addresses: readonly string[], { syntax, sheets }: Sheet): void {
  for (const address of addresses) {
    const candidates = syntax === 'scss' ? sassCandidates(address) : [address]
    const opened = candidates.values().flatMap(candidate => {
      const sheet = queue.length < MAX_SHEETS && sheets.open(candidate)
      return sheet ? [{ ...sheet, syntax: candidate.endsWith('.css') ? 'css' : syntax }] : []
    })
    // The iterator is lazy, so that no candidate is opened after the first that exists.
    queue.push(...opened.take(1))
  }
}

const MAX_SHEETS = 200

/** The key of the fonts of a family. */
export function faceKey(family = ''): string {
  return `@font-face ${family.toLowerCase()}`
}

/** Whether a property is a variable of CSS (`--ink`) or of SCSS (`$ink`). */
export function isVariable(property: string): boolean {
  return property.startsWith('--') || property.startsWith('$')
}

/** Keeps the first values of a variable, more than any theme or component has in practice. */
function addVariable(name: string, value: string, into: Variables): void {
  const values = into.get(name) ?? new Set()
  if (values.size < MAX_VALUES) into.set(name, values.add(plainValue(value)))
}

const MAX_VALUES = 20

/**
 * A value in single spaces, without comments and flags such as `!important`. One longer than `MAX_LENGTH` is only cut, since
 * `expand` rejects it by its length.
 */
export function plainValue(value: string): string {
  if (value.length > MAX_LENGTH) return value.slice(0, MAX_LENGTH + 1)
  return value.replace(UNREAD, ' ').trim()
}

const FLAGS = anyOf(wordsIn('important, default, global'))
const UNREAD = new RegExp(`(?:/\\*.*?(?:\\*/|$)|!\\s*${FLAGS}\\b|\\s)+`, 'gis')

/** The addresses of an at-rule; only `@import` of SCSS has several. */
function addressesOf(text: string, name: string, syntax: CssSyntax): string[] {
  const matches = text.matchAll(/"([^"]*)"|'([^']*)'|url\(\s*([^"')\s]+)/g)
  const addresses = [...matches].map(match => match.slice(1).join(''))
  return name === 'import' && syntax === 'scss' ? addresses : addresses.slice(0, 1)
}

/** The files that Sass tries for an address (sass-lang.com/documentation/at-rules/import#finding-the-file). */
function sassCandidates(address: string): string[] {
  if (address.endsWith('.css') || address.includes(':')) return [address]
  const nameStart = address.lastIndexOf('/') + 1
  const folder = address.slice(0, nameStart)
  const name = address.slice(nameStart)
  const file = name.endsWith('.scss') ? name : `${name}.scss`
  return [`${folder}${file}`, `${folder}_${file}`, `${address}/_index.scss`, `${address}/index.scss`, `${address}.css`]
}

/** Replaces all variables by their values; undefined if one has none or several. */
export function expand(value: string, scope: Variables): string | undefined {
  const [text, ...others] = expandAll(value, scope)
  return others.length > 0 ? undefined : text
}

/**
 * Replaces all variables by each of their values, in the order of their definitions; undefined stands for what has a
 * variable without one. The fallback of `var()` counts if the variable is defined nowhere. Stops after 50 texts, so that
 * loops end.
 */
export function expandAll(value: string, scope: Variables): (string | undefined)[] {
  // The loop also reads the strings that it adds, each with one variable less.
  const texts = new Set([plainValue(value)])
  const complete = new Set<string | undefined>()
  const budget = expansionBudget(scope)
  for (const text of texts) {
    const variable = VARIABLE.exec(text)
    // Spends the whole budget, so that nothing more of the file is expanded.
    if (text.length > MAX_EXPANDED) budget.left = -1
    if (!variable) {
      complete.add(text.length <= MAX_LENGTH ? text : undefined)
      continue
    }
    if (!spend(budget, 500 + text.length)) return [undefined]
    const values = valuesIn(variable, scope)
    if (values.length === 0 || texts.size > MAX_TEXTS) complete.add(undefined)
    else for (const each of values) texts.add(withValue(text, variable, each.trim()))
  }
  return [...complete]
}

/** The values of a variable that `VARIABLE` matched, or its fallback. */
function valuesIn([, property, fallback, name = '']: RegExpExecArray, scope: Variables): string[] {
  const values = valuesOf(property ?? `$${name.replaceAll('_', '-')}`, scope)
  return values.length > 0 || fallback === undefined ? values : [fallback]
}

/**
 * Replaces the variable that `VARIABLE` matched: `var(--a)` everywhere, as it has one value at a time, but `$a` only there,
 * as it is also the start of other names.
 */
function withValue(text: string, [written, property]: RegExpExecArray, value: string): string {
  return property ? text.replaceAll(written, () => value) : text.replace(written, () => value)
}

/** `var(--ink)`, also with a fallback, `var(--ink, rgb(0 0 0))`, and `$ink` or `colors.$ink` of SCSS. */
const VARIABLE = /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)|(?:(?<![\w-])[\w-]+\.)?\$([\w-]+)/i
const MAX_TEXTS = 50
const MAX_LENGTH = 1000
/** The longest text while it is expanded: if each variable names the next one twice, it doubles with each. */
const MAX_EXPANDED = 50_000

/** The work that is left to expand the variables of a file. */
export const expansionBudget = perObject((_: Variables): Budget => ({ left: 20_000_000 }))

/** The values of a variable as written; none if it is not defined. */
export function valuesOf(name: string, scope: Variables): string[] {
  return [...(scope.get(name) ?? [])]
}
