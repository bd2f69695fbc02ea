import { type CssSyntax, parseCss } from '#formats/css/parse-css.ts'
import { type Budget, spend } from '#formats/json/budget.ts'
import { perObject } from '#platform/base/object.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import type { Sheets } from '../source.ts'

/** Distinct values of variables as written, by name with `--` or `$`, and the fonts of `@font-face` by `faceKey`. */
export type Variables = Map<string, Set<string>>

/** Adds the variables and fonts of a sheet and of all that it imports, at most 200 sheets. */
export function collectVariables(text: string, syntax: CssSyntax, sheets: Sheets, into: Variables = new Map()) {
  const queue = [{ text, syntax, sheets }]
  let [face, isRoot]: [Face | undefined, boolean] = [undefined, false]
  for (const sheet of queue)
    for (const part of parseCss(sheet.text, sheet.syntax)) {
      if (part.kind === 'end') {
        for (const source of face?.sources ?? []) addVariable(faceKey(face?.family), source, into)
        isRoot = false
      }
      if (part.kind === 'end' || part.kind === 'too-deep') continue
      const value = sheet.text.slice(part.start, part.end)
      if (part.kind === 'block') {
        face = part.name === 'font-face' ? { family: '', sources: [] } : undefined
        isRoot = ROOT.test(value)
      } else if (part.kind === 'declaration') {
        if (face) readDescriptor(part.name, value, face)
        if (isVariable(part.name)) addVariable(part.name, value, into)
        if (isRoot && SIZES.has(part.name)) addVariable(ROOT_SIZE, value, into)
      }
      if (part.kind !== 'statement' || !IMPORTS.has(part.name)) continue
      for (const address of addressesOf(value, part.name, sheet.syntax))
        for (const candidate of sheet.syntax === 'scss' ? sassCandidates(address) : [address]) {
          const opened = queue.length < MAX_SHEETS ? sheet.sheets.open(candidate) : undefined
          if (!opened) continue
          queue.push({ ...opened, syntax: candidate.endsWith('.css') ? 'css' : sheet.syntax })
          break
        }
    }
  return into
}

const SIZES = wordSet('font font-size')
const IMPORTS = wordSet('import use forward')
const MAX_SHEETS = 200

const ROOT = /^(?:.{0,200},)?\s*(?:html|:root)\s*(?:,|$)/is

/** The name of the sizes that sheets give to the root element: there, `rem` is not 16 px. */
export const ROOT_SIZE = '@root'

/** The family that an `@font-face` names, and its fonts: names of installed ones, and names of files. */
type Face = { family: string; sources: string[] }

function readDescriptor(name: string, value: string, face: Face): void {
  if (name === 'font-family') face.family = plainValue(value).replace(/["']/g, '')
  if (name !== 'src') return
  for (const [, kind, text = ''] of value.matchAll(/\b(local|url)\(\s*["']?([^"')]{1,300})/gi))
    face.sources.push(kind?.toLowerCase() === 'local' ? text : text.replace(/[?#].*$|^.*\//gs, ''))
}

/** The key of the fonts of a family. */
export function faceKey(family = ''): string {
  return `@font-face ${family.toLowerCase()}`
}

export function isVariable(property: string): boolean {
  return property.startsWith('--') || property.startsWith('$')
}

/** Keeps the first values of a variable, more than any theme or component has in practice. */
function addVariable(name: string, value: string, into: Variables): void {
  const values = into.get(name) ?? new Set()
  if (values.size < MAX_VALUES) into.set(name, values.add(plainValue(value)))
}

const MAX_VALUES = 20

/** A value in single spaces, without comments and flags such as `!important`. `expand` rejects a long one, so it is cut. */
export function plainValue(value: string): string {
  if (value.length > MAX_LENGTH) return value.slice(0, MAX_LENGTH + 1)
  return value.replace(/(?:\/\*.*?(?:\*\/|$)|!\s*(?:important|default|global)\b|\s)+/gis, ' ').trim()
}

/** The addresses of an at-rule; only `@import` of SCSS has several. */
function addressesOf(text: string, name: string, syntax: CssSyntax): string[] {
  const matches = text.matchAll(/"([^"]*)"|'([^']*)'|url\(\s*([^"')\s]+)/g)
  const addresses = [...matches].map(match => match.slice(1).join(''))
  return name === 'import' && syntax === 'scss' ? addresses : addresses.slice(0, 1)
}

/** The files that Sass tries for an address (sass-lang.com/documentation/at-rules/import#finding-the-file). */
function sassCandidates(address: string): string[] {
  if (/\.css$|:/.test(address)) return [address]
  const [, folder = '', name = ''] = groupsOf(/^(.*\/)?(.*)$/s, address)
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
  const [texts, complete] = [new Set([plainValue(value)]), new Set<string | undefined>()]
  const budget = expansionBudget(scope)
  for (const text of texts) {
    const [written, property, fallback, variable] = groupsOf(VARIABLE, text)
    if (text.length > MAX_EXPANDED) budget.left = -1
    if (written !== undefined && !spend(budget, 500 + text.length)) return [undefined]
    const known = valuesOf(property ?? `$${variable?.replaceAll('_', '-')}`, scope)
    const values = known.length > 0 || fallback === undefined ? known : [fallback]
    if (written === undefined && text.length <= MAX_LENGTH) complete.add(text)
    else if (written === undefined || values.length === 0 || texts.size > MAX_TEXTS) complete.add(undefined)
    // A variable has one value at a time. `$a` is also the start of other names.
    else
      for (const each of values)
        texts.add(property ? text.replaceAll(written, () => each.trim()) : text.replace(written, () => each.trim()))
  }
  return [...complete]
}

const VARIABLE = /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)|(?:(?<![\w-])[\w-]+\.)?\$([\w-]+)/i
const MAX_TEXTS = 50
const MAX_LENGTH = 1000
/** Each of a few variables can name the next one twice. */
const MAX_EXPANDED = 50_000

/** The work that is left to expand the variables of a file. */
export const expansionBudget = perObject((_: Variables): Budget => ({ left: 20_000_000 }))

export function valuesOf(name: string, scope: Variables): string[] {
  return [...(scope.get(name) ?? [])]
}
