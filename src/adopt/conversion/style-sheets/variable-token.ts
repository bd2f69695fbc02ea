import { schemesOf } from '#brand/tokens/scheme.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { cssEntry, cssList } from '#formats/css/values.ts'
import { expand, type Variables } from '#formats/css/variables.ts'
import type { Json, JsonObject } from '#formats/json/json.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { anyOf, groupsOf, wordSet, wordsIn } from '#platform/base/text.ts'

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
  if (VAR.test(value)) return undefined
  const text = expand(value, scope) ?? value
  const channels = text.replace(/[ ,]+/g, ' ')
  const used = functions.get(name) ?? FORMS.find(({ pattern }) => pattern.test(channels))?.name
  // A name with `-rgb` repeats another colour.
  const candidates = [text, name.endsWith('-rgb') ? '' : `${used}(${channels})`]
  const color = candidates.find(css => readCssColor(css) !== undefined)
  return color ?? (COMPUTED.has(functionName(value)) ? value : undefined)
}

/** Channels as `11 79 108` and `221.2 83.2% 53.3%`. */
const FORMS = [
  { pattern: /^(?!.*(?:2[6-9]|[3-9]\d)\d)\d{1,3} \d{1,3} \d{1,3}$/, name: 'rgb' },
  { pattern: /^\S+ \S+% \S+%/, name: 'hsl' },
] as const

function functionName(value: string): string {
  return value.slice(0, value.indexOf('(')).replace(/^color\..*/, 'color')
}

const COMPUTED =
  wordSet(`rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark darken lighten mix tint shade
  tint-color shade-color scale-color adjust-color change-color`)

type ReadColor = (css: string) => string | undefined

/** A token, or a group of the entries of an SCSS map. `onDark` gets the dark values of `light-dark()`. */
export function variableToken(
  css: string,
  key: string,
  colorOf: ReadColor,
  onDark: (dark: string) => void,
): JsonObject {
  const [value = css, dark] = schemesOf(css)
  if (dark !== undefined) onDark(dark)
  const [, map] = groupsOf(/^\(([^:]*:.*)\)$/s, value)
  if (map !== undefined)
    return new Map(
      cssList(map).flatMap(text => {
        const { name, value } = cssEntry(text)
        return value === '' ? [] : [[name, variableToken(value, '', colorOf, onDark)] as const]
      }),
    )
  const [, variable, fallback] = groupsOf(VAR, value)
  const [, name = variable, entry] = groupsOf(SCSS_VALUE, value)
  if (name !== undefined) {
    const $fallback = fallback === undefined ? undefined : variableToken(fallback.trim(), key, colorOf, onDark)
    return token(
      { $value: `{${[variableKey(name), entry].filter(part => part !== undefined).join('.')}}`, $fallback },
      key,
    )
  }
  const color = colorOf(value)
  if (color !== undefined) return token({ $type: 'color', $value: color }, key)
  if (!/^font-/.test(key) || !FAMILIES.test(value)) return token({ $type: 'variable', $value: value }, key)
  const family = value.replace(/^'(?=")|(?<=[^'])'$/g, '')
  return token({ $type: 'typography', $value: new Map([['fontFamily', family]]) }, key)
}

function token(members: { $type?: string; $value: Json; $fallback?: JsonObject | undefined }, key: string): JsonObject {
  const name = key.replace(KIND, '').replace(/[-_]+/g, ' ')
  return new Map(Object.entries(withoutUndefined({ ...members, name: name || undefined })))
}

/** The first word of names such as `color-sea` and `font-family-text`. */
const KIND = new RegExp(`^${anyOf(wordsIn('color, colors, colour, colours, clr, font'))}-(?:family-)?(?=.)`)
/** A list of families as in `--font-display: "Fraunces", serif`. */
const FAMILIES =
  /^["']?(?:["'][^"']+["']|(?=[\w-]*[a-z]{3})[\w -]+(?![\w -]))(?:\s*,\s*(?! )(?:["'][^"']+["']|[\w -]+(?![\w -])))+["']?$/i
/** Text in which each bracket closes one before it, five in each other at most. */
const BALANCED = [1, 2, 3, 4, 5].reduce(inner => `[^()]*(?:\\(${inner}\\)[^()]*)*`, '[^()]*')
/** `var(--ink)`, `var(--ink, #000)` */
const VAR = new RegExp(`^var\\( ?(--[\\w-]+) ?(?:,(${BALANCED}))?\\)$`)
/** A variable of SCSS, or an entry of its map. */
const SCSS_VALUE = /^(?=\$|map(?:\.|-)get\()(?:map.get\(\s*)?(\$[\w-]+)(?:\s*,\s*["']?([\w-]+)["']?\s*\))?$/

/** The name without its sign; SCSS takes `_` for `-`. */
export function variableKey(name: string): string {
  return name.startsWith('$') ? name.slice(1).replaceAll('_', '-') : name.slice(2)
}
