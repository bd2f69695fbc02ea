import { schemesOf } from '#brand/tokens/scheme.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { cssCall, cssEntry, cssWords, isFamilyList, unquote } from '#formats/css/values.ts'
import { expand, type Variables } from '#formats/css/variables.ts'
import type { Json, JsonObject } from '#formats/json/json.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { anyOf, wordSet, wordsIn } from '#platform/base/text.ts'
import { nameInKey } from '../tokens/token-names.ts'

/** The functions in which sheets use the channels of variables: `hsl` by `--primary` for `hsl(var(--primary))`. */
export type ChannelFunctions = ReadonlyMap<string, string>

/** The values of other variables, and the functions of channels. */
export type VariableScope = { scope: Variables; functions: ChannelFunctions }

/** Finds the functions of channels in sheets. */
export function channelFunctions(texts: readonly string[]): ChannelFunctions {
  const uses = texts.flatMap(text =>
    Array.from(text.matchAll(USE), ([, name = '', variable = '']) => [variable, name] as const),
  )
  return new Map(uses.toReversed())
}

const FUNCTIONS = 'rgb, hsl, hwb, lab, lch, oklab, oklch'
const USE = new RegExp(`(?<![\\w-])(${anyOf(wordsIn(FUNCTIONS))})a?\\(\\s{0,9}var\\(\\s{0,9}(--[\\w-]{1,100})`, 'gi')

/**
 * A value as a colour of CSS, or as the function that computes one; undefined if it is neither, or only the name of another
 * variable. `--sea: 11 79 108` has the channels of `rgb(var(--sea))`, or of `hsl()` with percentages.
 */
export function colorText(value: string, name: string, { scope, functions }: VariableScope): string | undefined {
  const call = cssCall(value)
  if (call.name === 'var') return undefined
  const text = expand(value, scope) ?? value
  const channels = cssWords(text.replaceAll(',', ' '))
  const used = functions.get(name) ?? functionOf(channels)
  // A name with `-rgb` repeats another colour.
  const candidates = name.endsWith('-rgb') ? [text] : [text, `${used}(${channels.join(' ')})`]
  const color = candidates.find(css => readCssColor(css) !== undefined)
  return color ?? (COMPUTED.has(call.name) ? value : undefined)
}

/** The function whose channels words look like: `221.2 83.2% 53.3%`, `11 79 108`; empty for others. */
function functionOf(channels: readonly string[]): string {
  if (channels.filter(channel => channel.endsWith('%')).length > 1) return 'hsl'
  return channels.every(channel => BYTES.has(channel)) ? 'rgb' : ''
}

const BYTES: ReadonlySet<string> = new Set(Array.from({ length: 256 }, (_, byte) => `${byte}`))

const COMPUTED =
  wordSet(`rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark darken lighten mix tint shade
  tint-color shade-color scale-color adjust-color change-color color.adjust color.change color.mix color.scale`)

type ReadColor = (css: string) => string | undefined

/** A token, or a group of the entries of an SCSS map. `onDark` gets the dark values of `light-dark()`. */
export function variableToken(
  css: string,
  key: string,
  colorOf: ReadColor,
  onDark: (dark: string) => void,
): JsonObject {
  const inner = (value: string, name: string) => variableToken(value, name, colorOf, onDark)
  const [value = css, ...dark] = schemesOf(css)
  for (const each of dark) onDark(each)
  const { name, args } = cssCall(value)
  const entries = name === '' ? args.map(cssEntry).filter(entry => entry.value !== '') : []
  if (entries.length > 0) return new Map(entries.map(entry => [entry.name, inner(entry.value, '')]))
  const [variable = value, ...others] = args
  if (REFERENCES.has(name) && VARIABLE.test(variable)) {
    const [fallbacks, path] = name === 'var' ? [others, []] : [[], others.map(unquote)]
    const $fallback = fallbacks.length > 0 ? inner(fallbacks.join(', '), key) : undefined
    return token({ $value: `{${[variableKey(variable), ...path].join('.')}}`, $fallback }, key)
  }
  const color = colorOf(value)
  if (color !== undefined) return token({ $type: 'color', $value: color }, key)
  // A string of Sass may have the whole list in it.
  const families = key.startsWith('font-') ? [value, unquote(value)].find(isFamilyList) : undefined
  if (families === undefined) return token({ $type: 'variable', $value: value }, key)
  return token({ $type: 'typography', $value: new Map([['fontFamily', families]]) }, key)
}

function token(members: { $type?: string; $value: Json; $fallback?: JsonObject | undefined }, key: string): JsonObject {
  return new Map(Object.entries(withoutUndefined({ ...members, name: nameInKey(key) || undefined })))
}

/** The functions that give the value of a variable or of an entry in a map of SCSS; the name is empty for `$name`. */
const REFERENCES = new Set(['', 'var', 'map.get', 'map-get'])
const VARIABLE = /^(?:--|\$)[\w-]+$/

/** The name without its sign; SCSS takes `_` for `-`. */
export function variableKey(name: string): string {
  return name.startsWith('$') ? name.slice(1).replaceAll('_', '-') : name.slice(2)
}
