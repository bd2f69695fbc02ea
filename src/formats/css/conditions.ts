import { groupsOf, wordSet, wordTable } from '#platform/base/text.ts'
import { cssList } from './values.ts'

/**
 * Whether the condition of a `media` or `supports` rule holds on the usual screen: 1,280 by 720 px, in the light scheme,
 * without preferences. Browsers are taken to support everything. Unknown features of media do not hold.
 */
export function holdsOnScreen(atRule: string, condition: string): boolean {
  const isFeature = atRule === 'media' ? holdsFeature : () => true
  return cssList(condition.toLowerCase()).some(query => holdsAll(resolved(query, isFeature)))
}

/** A query whose brackets are replaced, the innermost first, by whether they hold. */
function resolved(query: string, isFeature: (feature: string) => boolean): string {
  const text = query.replace(INNERMOST, (_, inner: string) => {
    const isQuery = inner.split(' ').every(word => WORDS.has(word))
    return ` ${isQuery ? holdsAll(inner) : isFeature(inner.trim())} `
  })
  return text === query ? text : resolved(text, isFeature)
}

/** Brackets without others in them, and the name of a function before them. */
const INNERMOST = /[\w-]{0,30}\(([^()]*)\)/g
const WORDS = wordSet('true false not and or').union(new Set(['']))

/** The result of words such as `not screen and true`, in which `not` is for all that follows. */
function holdsAll(query: string): boolean {
  const words = query.split(' ').filter(word => !SILENT.has(word))
  if (words[0] === 'not') return !holdsAll(words.slice(1).join(' '))
  const holds = (word: string) => TRUE.has(word)
  return words.includes('or') ? words.some(holds) : words.every(holds)
}

const SILENT = wordSet('only and').union(new Set(['']))
const TRUE = wordSet('true all screen')

/** Whether a feature holds: `width >= 48em`, `min-width: 600px`, `400px < width < 800px`, `prefers-color-scheme: dark`, `hover`. */
function holdsFeature(feature: string): boolean {
  const [, low, lowSign = '', prefix = '', name = '', sign = '', high] = groupsOf(FEATURE, feature)
  const own = SCREEN.get(name)
  if (own === undefined) return false
  const highSign = PREFIXES.get(prefix) ?? sign
  const isAbove = low === undefined || compare(low, lowSign, own)
  return high === undefined ? isAbove && !UNSET.has(own) : isAbove && compare(own, highSign, high)
}

const FEATURE = /^(?:([\d./]+[a-z]*) ?([<>]=?|=) ?)?(m(?:in|ax)-)?([a-z-]+)(?: ?([<>]=?|[=:]) ?([\w./-]+))?$/
const PREFIXES = wordTable([
  ['>=', 'min-'],
  ['<=', 'max-'],
])

/** Values by the names of features. */
const SCREEN = wordTable([
  ['1280px', 'width device-width'],
  ['720px', 'height device-height'],
  ['1dppx', 'resolution'],
  ['8', 'color'],
  ['0', 'grid monochrome'],
  ['landscape', 'orientation'],
  ['enabled', 'scripting'],
  ['light', 'prefers-color-scheme'],
  ['none', 'forced-colors inverted-colors'],
  ['hover', 'hover any-hover'],
  ['fine', 'pointer any-pointer'],
  ['no-preference', 'prefers-contrast prefers-reduced-data prefers-reduced-motion prefers-reduced-transparency'],
])

/** Values with which a feature does not hold if it is alone. */
const UNSET = wordSet('0 none no-preference')

/** Compares two values with a sign; words are only equal or not. */
function compare(one: string, sign: string, other: string): boolean {
  const difference = sizeOf(one) - sizeOf(other)
  return Number.isNaN(difference) ? one === other : SIGNS.get(Math.sign(difference))?.has(sign) === true
}

/** The signs that hold, by the sign of the difference between two values. */
const SIGNS: ReadonlyMap<number, ReadonlySet<string>> = new Map([
  [-1, wordSet('< <=')],
  [0, wordSet('<= >= = :')],
  [1, wordSet('> >=')],
])

function sizeOf(value: string): number {
  return Number.parseFloat(value) * (UNITS.get(value.replace(/^[\d.]+/, '')) ?? 1)
}

/** Sizes of units in px, and resolutions in `dppx`. */
const UNITS = wordTable([
  [16, 'em rem'],
  [96, 'in'],
  [96 / 2.54, 'cm'],
  [4 / 3, 'pt'],
  [1 / 96, 'dpi'],
])
