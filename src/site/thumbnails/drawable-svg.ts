import { colorsNamed } from 'culori/fn'
import { groupsOf, wordSet, wordTable } from '#platform/base/text.ts'

/**
 * Whether our renderer (resvg 2.6) draws an SVG as browsers do. It knows a part of CSS, and paints everything else black
 * or leaves it out, so this lists what it knows: one selector or value that it may not know is enough to say no. An SVG
 * with text cannot be drawn, because its fonts are missing; nor one with files outside it.
 */
export function isDrawable(svg: string): boolean {
  if (UNDRAWN.test(svg)) return false
  const [, ...afterStyleTags] = svg.split(/<(?:[\w-]+:)?style\b/)
  if (afterStyleTags.length > MAX_SHEETS || !afterStyleTags.every(isKnownSheet)) return false
  for (const [, name = '', , value = ''] of svg.matchAll(ATTRIBUTE))
    if (!isKnownAttribute(name, value.replace(/&(?:quot|apos|#3[49]);/g, "'"))) return false
  return true
}

/**
 * Elements that make an SVG undrawable, with any prefix: text and animations; HTML without another choice (Illustrator has
 * one); and `<image href="logo.png">`, which refers to a file, but not `<use href="#star">` or data of a picture.
 */
const UNDRAWN = new RegExp(
  [
    '<(?:[\\w-]+:)?(?:text|set|animate\\w*)[\\s/>]',
    '<(?:[\\w-]+:)?foreignObject\\b(?![^<>]{0,500}\\srequiredExtensions)',
    '<(?:[\\w-]+:)?(?:image|use|feImage)\\s(?:[^<>]{0,1000}?\\s)?(?:xlink:)?href\\s*=\\s*["\'](?!#|data:image/(?:png|jpe?g|gif|svg\\+xml)[;,])',
  ].join('|'),
  'i',
)
const MAX_SHEETS = 100
/** All attributes, except long or frequent ones that are never CSS. */
const ATTRIBUTE = /\s(?!d=|id=|class=|points=|data-|xml)([\w-]+)\s*=\s*(["'])(.*?)\2/gs

/**
 * Whether the renderer knows the rules of a style sheet, given as the text after `<style`. It knows no conditions, nesting
 * and pseudo-classes. Imported sheets and fonts do not matter, because browsers do not load them either.
 */
function isKnownSheet(afterTagName: string): boolean {
  const [, attributes = '', css = ''] = groupsOf(/^([^>]*)>(?:(.*?)<\/)?/s, afterTagName)
  if (/\bmedia\s*=|\btype\s*=\s*["'](?!text\/css)/.test(attributes)) return false
  const rules = css
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/\/\*.*?(?:\*\/|$)/gs, '')
    .replace(/@(?:charset|import)\s[^;{}@]*;|@font-face\s*\{[^{}]*\}/g, '')
  // Only rules without others in them: `.a { fill: red }`.
  if (!/^(?:[^{}]+\{[^{}]*\})*\s*$/.test(rules)) return false
  return Array.from(rules.matchAll(/(?<![^{}])([^{}]+)\{([^{}]*)\}/g)).every(
    ([, selectors = '', declarations = '']) => SELECTORS.test(selectors) && areKnown(declarations),
  )
}

/** Types, classes, ids, attributes, and all combinations except `~`. */
const SELECTORS = /^(?:[\w\s.#*,>+-]|\[[\w-]+(?:~?=(?:[\w-]+|"[^"]*"|'[^']*'))?\])+$/

/** Whether the renderer knows all declarations, such as `fill: #f00; opacity: .5`. */
function areKnown(declarations: string): boolean {
  return declarations.split(';').every(declaration => {
    const [name = '', ...value] = declaration.split(':')
    return declaration.trim() === '' || readerOf(name.trim())?.(value.join(':').trim())
  })
}

/** Whether the renderer knows the value of an attribute; one that is not CSS has any. */
function isKnownAttribute(name: string, value: string): boolean {
  if (name === 'style') return areKnown(value)
  // `rotate(45) translate(1,2)` with numbers only: `transform`, `gradientTransform`.
  if (/transform$/i.test(name)) return /^(?:[\s,]*[a-z]+\s*\([\d\s.,e+-]*\))*\s*$/i.test(value)
  if (LENGTHS.has(name)) return !value.includes('(')
  // The value of another attribute, such as a label, is not CSS.
  return readerOf(name)?.(value.trim()) ?? true
}

const LENGTHS = wordSet('width height x y r rx ry cx cy fx fy x1 y1 x2 y2')

/** Tests the values of a property; undefined for one that the renderer may not know. */
function readerOf(name: string): Reader | undefined {
  // `marker-end` is `marker`, and `fill-opacity` is `fill-*`.
  const family = name.replace(/^(marker|transform)-\w+$/, '$1').replace(/^([a-z]+-)[a-z-]+$/, '$1*')
  const isHarmless = HARMLESS.values().some(start => name.startsWith(start))
  return READERS.get(name) ?? READERS.get(family) ?? (isHarmless ? () => true : undefined)
}

type Reader = (value: string) => boolean

const isPlain = (value: string) => /^[^()\\!&]*$/.test(value) && !RESETS.has(value)
const RESETS = wordSet('initial unset revert revert-layer')
const isNone = (value: string) => value === 'none'
const isReference = (value: string) => /^(?:none|inherit|url\(#[^()"']+\))$/.test(value)

/** The properties that the renderer knows, and families of them such as `fill-*`, with their values. */
const READERS = wordTable<Reader>([
  [isKnownColor, 'fill stroke color stop-color flood-color lighting-color solid-color'],
  [isReference, 'clip-path mask filter marker'],
  [isNone, 'vector-effect transform'],
  [isPlain, 'opacity display visibility overflow isolation cursor clip'],
  [
    isPlain,
    `fill-* stroke-* clip-* shape-* stop-* flood-* solid-* paint-* color-* image-* mix-* pointer-* enable-*
    inline-* block-*`,
  ],
])
/** The starts of properties that change no drawing without text. */
const HARMLESS = wordSet(`
  - font text letter- word- line- writing- white- direction unicode- baseline- dominant- alignment- kerning`)

function isKnownColor(value: string): boolean {
  const [, reference, color = value] = groupsOf(/^(url\(#[^()"']+\))\s*(.*)$/, value)
  if (reference !== undefined && color === '') return true
  return COLOR.test(color) || (Object.hasOwn(colorsNamed, color.toLowerCase()) && color !== 'rebeccapurple')
}

const NUMBER = String.raw`\s*[\d.]+`
const COLOR = new RegExp(
  `^(?:${[
    'none|inherit|transparent|currentColor|#(?:[\\da-fA-F]{3,4}|[\\da-fA-F]{6}|[\\da-fA-F]{8})',
    `rgba?\\((?:\\s*\\d+\\s*,){2}\\s*\\d+\\s*(?:,${NUMBER}\\s*)?\\)`,
    `rgba?\\((?:${NUMBER}%\\s*,){2}${NUMBER}%\\s*(?:,${NUMBER}\\s*)?\\)`,
    `hsla?\\(${NUMBER}\\s*(?:,${NUMBER}%\\s*){2}(?:,${NUMBER}\\s*)?\\)`,
  ].join('|')})$`,
)
