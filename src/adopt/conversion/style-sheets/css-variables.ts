import { addNote, type FontFace, type Notes } from '#brand/tokens/found-styles.ts'
import { isOtherScheme, schemesOf } from '#brand/tokens/scheme.ts'
import { cssAddresses } from '#formats/css/addresses.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { type CssSyntax, parseCss, plainSheet } from '#formats/css/parse-css.ts'
import { cssFamilies, cssList, plainValue } from '#formats/css/values.ts'
import { type Json, type JsonObject, jsonText } from '#formats/json/json.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { groupsOf, lineCounter } from '#platform/base/text.ts'

/**
 * The variables of a whole sheet as tokens: custom properties of the root, in Tailwind's `@theme` and of `@property`, and
 * variables and maps of SCSS. Notes those of other schemes, each with its line, and those of single elements. A reference such as
 * `var(--ink)` becomes `{ink}`, so that it crosses files. `faces` are the families that `@font-face` names.
 */
export function cssVariables(text: string, syntax: CssSyntax, notes: Notes): { root: JsonObject; faces: FontFace[] } {
  const sheet = plainSheet(text, syntax)
  const tokens = new Map<string, Json>()
  /** The heads of the blocks around a part, outermost first: `@media print`, `:root`. */
  const blocks: string[] = []
  /** The values of `@property`, which count for variables without another one. */
  const initialValues: Variable[] = []
  const faces: Face[] = []
  const lineAt = lineCounter(text)
  for (const part of parseCss(sheet, 'css')) {
    if (part.kind === 'end') blocks.pop()
    if (part.kind === 'too-deep') addNote(notes, 'the sheet', 'nestedTooDeep')
    if (part.kind !== 'block' && part.kind !== 'declaration') continue
    const value = plainValue(sheet.slice(part.start, part.end))
    const block = blocks.at(-1) ?? ''
    if (part.kind === 'block') {
      blocks.push(`${part.name === '' ? '' : `@${part.name} `}${value}`)
      if (part.name === 'font-face') faces.push({ family: '', addresses: [] })
    } else if (block.startsWith('@font-face ')) addToFace(faces.at(-1), part.name, value)
    else if (part.name === 'initial-value') {
      const [, name] = groupsOf(/^@property (--\S+)/, block)
      if (name !== undefined) initialValues.push({ name, value, line: lineAt(part.start) })
    } else if (VARIABLE.test(part.name) && (isColor(value) || !THEME.test(part.name))) {
      const subject = { name: part.name, value, line: lineAt(part.start) }
      const scheme = blocks.find(isForScheme)
      if (blocks.every(isWhole)) addVariable(tokens, subject, notes)
      else if (scheme !== undefined) addNote(notes, subject, 'otherScheme', scheme)
      else if (isColor(value)) addNote(notes, subject, 'singleElements')
    }
  }
  for (const variable of initialValues) addVariable(tokens, variable, notes)
  return { root: tokens, faces: faces.filter(({ family }) => /[\p{L}\p{N}]/u.test(family)) }
}

type Face = { family: string; addresses: string[] }

function addToFace(face: Face | undefined, property: string, value: string): void {
  if (face && property === 'font-family') face.family = cssFamilies(value).join(', ')
  if (property === 'src') face?.addresses.push(...Array.from(cssAddresses(value), ({ address }) => address))
}

/** `--ink` or `$ink` */
const VARIABLE = /^(?:--|\$)[^\d-]/
/** Measures and fonts of MkDocs, Docusaurus, Starlight, Bootstrap, Catppuccin, VitePress, Nextra, WordPress and Algolia. */
const THEME = /^--(?:md|ifm|sl|bs|ctp|vp|nextra|wp|docsearch|docusaurus)-/

/** Whether a block is for the whole page in the scheme that it has by default. */
function isWhole(block: string): boolean {
  const selectors = block.startsWith('@') ? [block] : cssList(block)
  return selectors.some(selector => !isOtherScheme(selector) && WHOLE.test(selector))
}

/** `@theme`, `@media (prefers-color-scheme: light)`, `:root`, `html:not(.dark)`, `.light`, `[data-theme=default]`. */
const WHOLE =
  /^(?:@(?:theme|layer|supports)\b.*|@media (?:all|screen|.*color-scheme: ?light.*)|(?:html|body|\*|:root|:host)?(?::not\(.*\)|:root|\.(?:light|default)|(?=.*(?:light|default))[.[]\S*(?:theme|mode|scheme)\S*)?)$/

/** Whether a block is for the whole page in another scheme; `.button-dark` is not. */
function isForScheme(block: string): boolean {
  return isOtherScheme(block) && /^(?:@|:|html|body|\.dark\b|\[)|theme|mode|scheme|contrast/.test(block)
}

type Variable = { name: string; value: string; line: number }

function addVariable(tokens: Map<string, Json>, { name, value, line }: Variable, notes: Notes): void {
  const key = variableKey(name)
  const onDark = (dark: string) => addNote(notes, { name, value: dark, line }, 'otherScheme', 'dark')
  const token = tokenOf(value, key, onDark)
  if (jsonText(tokens.get(key) ?? token) === jsonText(token)) tokens.set(key, token)
  else addNote(notes, { name, value, line }, 'secondVariable')
}

/** A token, or a group of the entries of an SCSS map. */
function tokenOf(css: string, key: string, onDark: (dark: string) => void): JsonObject {
  const [value = css, dark] = schemesOf(css)
  if (dark !== undefined) onDark(dark)
  const [, map] = groupsOf(/^\(([^:]*:.*)\)$/s, value)
  if (map !== undefined)
    return new Map(
      cssList(map).flatMap(text => {
        const [, name = '', entry] = groupsOf(ENTRY, text)
        const key = name.trim().replaceAll(/^["']?\$?|["']$/g, '')
        return entry === undefined ? [] : [[key, tokenOf(entry, '', onDark)] as const]
      }),
    )
  const [, variable, fallback] = groupsOf(VAR, value)
  const [, name = variable, entry] = groupsOf(SCSS_VALUE, value)
  if (name !== undefined && isBalanced(fallback)) {
    const $fallback = fallback === undefined ? undefined : tokenOf(fallback.trim(), key, onDark)
    return token({ $value: `{${[variableKey(name), ...(entry ? [entry] : [])].join('.')}}`, $fallback }, key)
  }
  if (isColor(value)) return token({ $type: 'color', $value: value }, key)
  if (CHANNELS.test(value) && !key.endsWith('-rgb')) return token({ $type: 'color', $value: `rgb(${value})` }, key)
  if (!/^font-/.test(key) || !FAMILIES.test(value)) return token({ $type: 'variable', $value: value }, key)
  const family = value.replace(/^'(?=")|(?<=[^'])'$/g, '')
  return token({ $type: 'typography', $value: new Map([['fontFamily', family]]) }, key)
}

function token(members: { $type?: string; $value: Json; $fallback?: JsonObject | undefined }, key: string): JsonObject {
  const name = key.replace(/^(?:colou?rs?|clr|font)-(?:family-)?(?=.)/, '').replace(/[-_]+/g, ' ')
  return new Map(Object.entries(withoutUndefined({ ...members, name: name || undefined })))
}

/** Whether each bracket closes one before it, so that `a) var(--b` is no single value. */
function isBalanced(value = ''): boolean {
  let depth = 0
  for (const [bracket] of value.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}

/** An entry of a map: its name, which may be a string or a variable, and its value. */
const ENTRY = /^((?:"[^"]*"|'[^']*'|[^:"'])*):\s*(.+)$/s

/** The channels of a colour for `rgb(var(--blue))`; a name with `-rgb` repeats another colour. */
const CHANNELS = /^(?:(?:1?\d?\d|2[0-4]\d|25[0-5])(?:,\s*(?!$)|$)){3}$/

/** A list of families as in `--font-display: "Fraunces", serif`. */
const FAMILIES =
  /^["']?(?:["'][^"']+["']|(?=[\w-]*[a-z]{3})[\w -]+(?![\w -]))(?:\s*,\s*(?! )(?:["'][^"']+["']|[\w -]+(?![\w -])))+["']?$/i
/** `var(--ink)`, `var(--ink, #000)` */
const VAR = /^var\(\s*(--[\w-]+)\s*(?:,(.*))?\)$/s
/** A variable of SCSS, or an entry of its map. */
const SCSS_VALUE = /^(?=\$|map(?:\.|-)get\()(?:map.get\(\s*)?(\$[\w-]+)(?:\s*,\s*["']?([\w-]+)["']?\s*\))?$/

/** The name without its sign; SCSS takes `_` for `-`. */
function variableKey(name: string): string {
  return name.startsWith('$') ? name.slice(1).replaceAll('_', '-') : name.slice(2)
}

/** Whether a value is a colour, or a function that computes one. */
function isColor(value: string): boolean {
  return COMPUTED.test(value) || readCssColor(value) !== undefined
}

const COMPUTED =
  /^(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color(?:-mix|\.\w+)?|light-dark|darken|lighten|mix|tint|shade|tint-color|shade-color|(?:scale|adjust|change)-color)\(/
