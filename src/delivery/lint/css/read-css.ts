import { type CssSyntax, parseCss } from '#formats/css/parse-css.ts'
import { expandAll, expansionBudget, type Variables, valuesOf } from '#formats/css/variables.ts'
import { pick } from '#platform/base/object.ts'
import { wordSet, wordTable } from '#platform/base/text.ts'
import { partOf, type SourceText } from '../source.ts'
import type { Place, Rgba, Use } from '../use.ts'
import { colorOn, readColor, readColors, roleOf } from './colors.ts'
import { isHidden, type Trait, traitsOf } from './traits.ts'
import { type Declaration, familyIn, typeOf } from './type.ts'
import { readUtilities } from './utilities.ts'
import { faceKey } from './variables.ts'

export type CssOptions = {
  syntax: CssSyntax
  /** Those of all sheets in reach. */
  variables: Variables
  /** The facts about the element of a style attribute, or about the whole sheet. */
  traits?: readonly Trait[]
  /** Whether a selector is for text of an SVG. */
  isTextRule?: (selector: string) => boolean
  /** For a style attribute: the declarations that other attributes of its element make. */
  attributes?: readonly Declaration[]
}

/**
 * Reads a style sheet, a `<style>` element, or a style attribute, part by part: each declaration is read at once, and a
 * rule again at its end, when all of its declarations are known. Parts outside of blocks belong to the root block.
 */
export function* readCss(source: SourceText, options: CssOptions): Generator<Use> {
  const { syntax, variables: scope, traits = [], attributes = [] } = options
  const root: Block = { declarations: [...attributes], traits, isFont: false, prefix: '' }
  // All sheets of a file share the budget of their variables. Only the one that spends it reports that.
  const budget = expansionBudget(scope)
  const hadBudget = budget.left >= 0
  const isSpent = () => hadBudget && budget.left < 0
  let block = root
  let latestStart = 0
  for (const part of parseCss(source.text, syntax)) {
    if (isSpent()) break
    if (part.kind === 'too-deep') return yield { kind: 'unreadable', message: TOO_DEEP }
    if (part.kind === 'end') {
      yield* readRule(block, scope)
      block = block.outer ?? root
      continue
    }
    latestStart = part.start
    const value = partOf(source, part.start, part.end)
    if (part.kind === 'declaration') {
      const isPainted = !isTransparent(part.name, source.text.slice(part.end, part.end + 200))
      yield* readInBlock(block, { property: block.prefix + part.name, value }, isPainted, scope)
      continue
    }
    if (part.kind === 'block') block = innerBlock(block, part.name, value.text, options)
    yield* AT_RULES.get(part.name)?.(value, scope) ?? []
  }
  yield* readRule(root, scope)
  if (isSpent()) yield { ...source.at(latestStart), kind: 'unreadable', message: TOO_LONG }
}

type Rule = { declarations: readonly Declaration[]; traits: readonly Trait[] }

/**
 * An open block. `isFont` is true in `@font-face` and the like, whose declarations style nothing; `prefix` is `font-` inside
 * `font: { family: … }`, a nested property of SCSS.
 */
type Block = Rule & { declarations: Declaration[]; isFont: boolean; prefix: string; outer?: Block }

const TOO_DEEP = 'has more than 200 brackets in each other: repair the style sheet'
const TOO_LONG = 'has variables that expand to more than can be read, so that the rest is not read: write their values'

/** Reads a declaration, and adds it to its block for the end of the rule. */
function* readInBlock(block: Block, declaration: Declaration, isPainted: boolean, scope: Variables): Generator<Use> {
  if (block.isFont) return
  if (isPainted) yield* readDeclaration(declaration, scope, block.traits)
  block.declarations.push(declaration)
}

/**
 * The block that begins with a selector (its `name` is empty), an at-rule (`media`) or a nested property of SCSS (`font-`).
 * The prelude is the text before the bracket: the selector, or the condition.
 */
function innerBlock(outer: Block, name: string, prelude: string, { isTextRule = () => false }: CssOptions): Block {
  const isNested = name.endsWith('-')
  const isText = TEXTS.test(prelude) || isTextRule(prelude)
  const traits = new Set([...outer.traits, ...traitsOf(name, prelude), ...(isText ? TEXT_TRAITS : [])])
  const isFont = !isNested && name.startsWith('font-')
  return { declarations: [], traits: [...traits], isFont, prefix: isNested ? outer.prefix + name : '', outer }
}

const TEXTS = /\bt(?:ext|span)\b/
const TEXT_TRAITS: readonly Trait[] = ['text']

type ValueReader = (value: SourceText, scope: Variables) => Iterable<Use>

/** The readers of at-rules. Those of SCSS give colours to variables, or return them. */
const AT_RULES = wordTable<ValueReader>([
  [readUtilities, 'apply'],
  [readArguments, 'use forward return each'],
  // The name before the arguments is not a colour.
  [
    (value, scope) => readArguments(partOf(value, value.text.search(/\(|$/), value.text.length), scope),
    'include mixin function',
  ],
])

function readArguments(value: SourceText, scope: Variables): Iterable<Use> {
  return readColors(value, 'definition', scope)
}

/**
 * Reads the declarations of one element, such as the presentation attributes of SVG, and its `style`. Together they are one
 * rule, in which `style` is stronger.
 */
export function* readDeclarations(
  declarations: readonly Declaration[],
  options: CssOptions,
  style?: SourceText,
): Generator<Use> {
  const { variables, traits = [] } = options
  const all = [...declarations.map(({ property, value }) => `;${property}:${value.text}`), ';', style?.text].join('')
  for (const declaration of declarations)
    if (!isTransparent(declaration.property, all)) yield* readDeclaration(declaration, variables, traits)
  if (style) yield* readCss(style, { ...options, attributes: declarations })
  else yield* readRule({ declarations, traits }, variables)
}

/** Whether other styles of an SVG element make the colour of a property transparent, as drawing programs do. */
function isTransparent(property: string, styles: string): boolean {
  return TRANSPARENT.get(property)?.test(styles) ?? false
}

/** By property, the pattern of styles that make its colour transparent, such as `;fill-opacity: 0`. */
const TRANSPARENT = wordTable<RegExp>(
  (
    [
      ['fill-opacity', 'fill fill-color'],
      ['stroke-(?:opacity|width)', 'stroke stroke-color'],
      ['stop-opacity', 'stop stop-color'],
      ['flood-opacity', 'flood flood-color'],
    ] as const
  ).map(([names, list]) => [new RegExp(`^[^{}]*[;\\s]${names}\\s*:\\s*[0.]+(?:%|px)?\\s*(?:[;}]|$)`), list]),
)

/** The colours and the font family of a declaration. */
function* readDeclaration(declaration: Declaration, scope: Variables, traits: readonly Trait[]): Generator<Use> {
  const { property, value } = declaration
  const propertyRole = roleOf(property, traits.includes('text'))
  // Drawing programs paint a shadow as the shape once more, in black, with a filter.
  const role = propertyRole === 'ground' && traits.includes('filtered') ? 'shadow' : propertyRole
  if (role) yield* readColors(value, role, scope)
  const family = familyIn(declaration, scope)
  const sources = valuesOf(faceKey(family), scope)
  if (family === undefined) return
  const isCode = traits.includes('code') || MONOSPACE.test(value.text)
  yield { ...value.at(0), kind: 'font', family, ...(sources.length > 0 && { sources }), ...(isCode && { isCode }) }
}

/** A list of families that ends in the generic one for code. */
const MONOSPACE = /,\s*monospace\s*(?:!|$)/i

/**
 * The uses that need all declarations of a rule: the colours for dark pages, the contrast of text and ground, and the type.
 * The last declaration of a property counts, or the last important one.
 */
function* readRule({ declarations, traits }: Rule, scope: Variables): Generator<Use> {
  // From the weakest declaration to the strongest.
  const ordered = [...declarations.filter(each => !isImportant(each)), ...declarations.filter(isImportant)]
  const fonts = ordered.filter(({ property }) => FONTS.has(property))
  const type = typeOf(fonts, scope)
  const { family, leading, written, ...face } = type
  const { texts, grounds, hasImage, at } = colorsOfRule(ordered, scope)
  const [ground = NO_COLOR, anotherGround] = grounds
  if (traits.includes('dark')) yield* schemeUses(ordered, scope, anotherGround || hasImage ? NO_COLOR : ground)
  // Variables may have a value for each of two themes. Then, text and ground have them in the same order, and the first text
  // is on the first ground. With more values, it is unknown which of them belong together.
  const isPlain = texts.length === grounds.length && texts.length <= 2 && !hasImage
  const isCompared = isPlain && isSeen(traits, ordered)
  for (const [index, text] of isCompared ? texts.entries() : []) {
    const { [index]: groundOfText = NO_COLOR } = grounds
    const { hex, alpha } = groundOfText
    if (text.alpha > 0 && alpha === 1) yield { ...at, kind: 'contrast', text: colorOn(hex, text), ground: hex, ...face }
  }
  const hasType = [leading, face.size, face.weight].some(value => value !== undefined)
  if (hasType && !traits.includes('print')) yield { ...fonts[0]?.value.at(0), kind: 'type', ...type }
}

/** The colours of the text and of its ground, each with all values of its variables, and the place of the text's colour. */
type RuleColors = { texts: readonly Rgba[]; grounds: readonly Rgba[]; hasImage: boolean; at: Place | undefined }

/** Expects the declarations in the order of their strength, the strongest last. */
function colorsOfRule(ordered: readonly Declaration[], scope: Variables): RuleColors {
  const lastOf = (name: string) => ordered.findLast(({ property }) => property === name)
  const color = [TEXT_FILL, 'color'].map(lastOf).find(each => each && !isCurrent(each))
  const backgrounds = ordered.filter(({ property }) => BACKGROUNDS.has(property))
  const hasImage = backgrounds.some(({ value }) => expandAll(value.text, scope).some(isPicture))
  const ground = backgrounds.findLast(({ property }) => property !== 'background-image')
  return { texts: colorsIn(color, scope), grounds: colorsIn(ground, scope), hasImage, at: color?.value.at(0) }
}

/** Whether people see the text of a rule in its own colours, and it has to be legible. */
function isSeen(traits: readonly Trait[], ordered: readonly Declaration[]): boolean {
  const lastByProperty = new Map(ordered.map(each => [each.property, each]))
  const styles = Array.from(lastByProperty.values(), ({ property, value }) => `;${property}:${value.text}`).join('')
  const isForced = traits.includes('forced') && !/;forced-color-adjust:\s*none/i.test(styles)
  return !isForced && !traits.includes('disabled') && !CLIPPED.test(styles) && !isHidden(styles)
}

/** A colour that is not known. */
const NO_COLOR: Rgba = { hex: '', alpha: 0 }

/** The colours of a rule for dark pages; those of a variable are judged where it is defined. */
function* schemeUses(declarations: readonly Declaration[], scope: Variables, ground: Rgba): Generator<Use> {
  for (const { property, value } of declarations) {
    const role = roleOf(property, false)
    if (!role) continue
    const behind = role === 'text' && ground.alpha === 1 ? { ground: ground.hex } : {}
    for (const use of readColors(value, role, scope))
      if (use.kind === 'color' && use.color.alpha === 1)
        yield { ...pick(use, ['line', 'column', 'written']), kind: 'scheme', hex: use.color.hex, ...behind }
  }
}

const FONTS = wordSet('font font-family font-size font-weight line-height')
const BACKGROUNDS = wordSet('background background-color background-image')
/** Wins over `color` in all browsers. */
const TEXT_FILL = '-webkit-text-fill-color'
/** Values that take the colour from elsewhere. */
const CURRENT = wordSet('currentcolor initial inherit unset revert revert-layer')
/** A ground that only fills the text. */
const CLIPPED = /;(?:-webkit-)?background(?:-clip)?:[^;]*(?<![\w-])text(?![\w-])/i

/** Whether the first word of a value takes the colour from elsewhere. */
function isCurrent({ value }: Declaration): boolean {
  return CURRENT.has(
    value.text
      .trimStart()
      .toLowerCase()
      .replace(/[^\w-].*$/s, ''),
  )
}

function isImportant({ value }: Declaration): boolean {
  return /!\s*important\b/i.test(value.text)
}

/** Whether a background has a picture; an unknown one (undefined, from `expandAll`) may have one. */
function isPicture(background = 'image'): boolean {
  return /url\(|gradient|image/i.test(background)
}

/**
 * The colour of a declaration, for each value of its variables; `NO_COLOR` where it is no colour, or unknown. A background
 * may have words and lengths next to it.
 */
function colorsIn(declaration: Declaration | undefined, scope: Variables): Rgba[] {
  const texts = expandAll(declaration?.value.text ?? '', scope)
  return texts.map((text = '') => readColor(text.replace(BESIDE_COLOR, '')) ?? NO_COLOR)
}

/** `none ` before a colour, and words and lengths behind it, as in `none #fff` and `#fff no-repeat 0 / 50%`. */
const BESIDE_COLOR = /^none |(?= )(?<! [a-z\d.%/-]+)(?: (?:\/|[a-z-]+|[\d.]+%?[a-z]*))+$/gi
