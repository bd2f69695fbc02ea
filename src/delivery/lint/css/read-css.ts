import { type CssSyntax, parseCss } from '#formats/css/parse-css.ts'
import { pick } from '#platform/base/object.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import { partOf, type SourceText } from '../source.ts'
import type { Rgba, Use } from '../use.ts'
import { colorOn, readColor, readColors, roleOf } from './colors.ts'
import { isHidden, type Trait, traitsOf } from './traits.ts'
import { type Declaration, familyIn, typeOf } from './type.ts'
import { readUtilities } from './utilities.ts'
import { expandAll, expansionBudget, faceKey, type Variables, valuesOf } from './variables.ts'

/** `variables` are those of all sheets in reach; `isTextRule` knows the selectors of text of an SVG. */
export type CssOptions = {
  syntax: CssSyntax
  variables: Variables
  traits?: readonly Trait[]
  isTextRule?: (selector: string) => boolean
  attributes?: readonly Declaration[]
}

/** Reads a style sheet, a `<style>` element, or a style attribute. */
export function* readCss(source: SourceText, options: CssOptions): Generator<Use> {
  const { syntax, variables: scope, traits = [], isTextRule = () => false, attributes = [] } = options
  const open: Block[] = [{ declarations: [...attributes], traits, isFont: false, prefix: '' }]
  const budget = expansionBudget(scope)
  const isWhole = budget.left >= 0
  let latest = 0
  for (const part of parseCss(source.text, syntax)) {
    const block = open.at(-1)
    if (isWhole && budget.left < 0) break
    if ('start' in part) latest = part.start
    if (part.kind === 'too-deep') return yield { kind: 'unreadable', message: TOO_DEEP }
    if (part.kind === 'end') yield* readRule(open.pop(), scope)
    if (part.kind === 'end' || !block) continue
    const value = partOf(source, part.start, part.end)
    const prefix = part.name.endsWith('-') ? block.prefix + part.name : ''
    const isFont = !prefix && part.name.startsWith('font-')
    if (part.kind === 'block') {
      const own = traitsOf(part.name, value.text)
      if (/\bt(?:ext|span)\b/.test(value.text) || isTextRule(value.text)) own.push('text')
      open.push({ declarations: [], traits: [...new Set([...block.traits, ...own])], isFont, prefix })
    } else if (part.kind === 'declaration' && !block.isFont) {
      const declaration = { property: block.prefix + part.name, value }
      const rest = source.text.slice(part.end, part.end + 200)
      if (!isTransparent(part.name, rest)) yield* readDeclaration(declaration, scope, block.traits)
      block.declarations.push(declaration)
    }
    if (part.kind === 'statement' && part.name === 'apply') yield* readUtilities(value, scope)
    if (part.kind === 'declaration' || !ARGUMENTS.has(part.name)) continue
    // The name before the arguments is not a colour.
    const start = CALLS.has(part.name) ? part.start + value.text.search(/\(|$/) : part.start
    yield* readColors(partOf(source, start, part.end), 'definition', scope)
  }
  yield* readRule(open[0], scope)
  if (isWhole && budget.left < 0) yield { ...source.at(latest), kind: 'unreadable', message: TOO_LONG }
}

type Rule = { declarations: readonly Declaration[]; traits: readonly Trait[] }
type Block = Rule & { declarations: Declaration[]; isFont: boolean; prefix: string }

/** The at-rules of SCSS that give colours to variables, or return them. */
const ARGUMENTS = wordSet('use forward include mixin function return each')
const CALLS = wordSet('include mixin function')
const TOO_DEEP = 'has more than 200 brackets in each other: repair the style sheet'
const TOO_LONG = 'has variables that expand to more than can be read, so that the rest is not read: write their values'

/** Reads the declarations of one element, such as the presentation attributes of SVG, and its `style`. */
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
  const name = groupsOf(/^(?:fill|stroke|stop|flood)(?=$|-color$)/, property)[0]
  const others = name === 'stroke' ? 'stroke-(?:opacity|width)' : `${name}-opacity`
  return name !== undefined && new RegExp(`^[^{}]*[;\\s]${others}\\s*:\\s*[0.]+(?:%|px)?\\s*(?:[;}]|$)`).test(styles)
}

/** The colours and the font family of a declaration. */
function* readDeclaration(declaration: Declaration, scope: Variables, traits: readonly Trait[]): Generator<Use> {
  const { property, value } = declaration
  const named = roleOf(property, traits.includes('text'))
  // Drawing programs paint a shadow as the shape once more, in black, with a filter.
  const role = named === 'ground' && traits.includes('filtered') ? 'shadow' : named
  if (role) yield* readColors(value, role, scope)
  const family = familyIn(declaration, scope)
  const sources = valuesOf(faceKey(family), scope)
  if (family === undefined) return
  const isCode = traits.includes('code') || MONOSPACE.test(value.text)
  yield { ...value.at(0), kind: 'font', family, ...(sources.length > 0 && { sources }), ...(isCode && { isCode }) }
}

/** A list of families that ends in the generic one for code. */
const MONOSPACE = /,\s*monospace\s*(?:!|$)/i

/** The contrast and the type of a rule; the last declaration of a property counts, or the last important one. */
function* readRule(block: Rule | undefined, scope: Variables): Generator<Use> {
  const { declarations, traits } = block ?? { declarations: [], traits: [] }
  const ordered = declarations.some(isImportant) ? declarations.toSorted(byImportance) : declarations
  const fonts = ordered.filter(({ property }) => FONTS.has(property))
  const type = typeOf(fonts, scope)
  const { family, leading, written, ...face } = type
  const last = new Map(ordered.map(each => [each.property, each]))
  const color = [TEXT_FILL, 'color'].map(name => last.get(name)).find(each => each && !isCurrent(each))
  const backgrounds = ordered.filter(({ property }) => BACKGROUNDS.has(property))
  const styles = Array.from(last.values(), ({ property, value }) => `;${property}:${value.text}`).join('')
  const isForced = traits.includes('forced') && !/;forced-color-adjust:\s*none/i.test(styles)
  const hasImage = backgrounds.some(({ value }) => expandAll(value.text, scope).some(isPicture))
  const behind = backgrounds.findLast(({ property }) => property !== 'background-image')
  const [texts, grounds] = [colorsIn(color, scope), colorsIn(behind, scope)]
  if (traits.includes('dark'))
    yield* schemeUses(ordered, scope, !hasImage && grounds.length === 1 ? grounds[0] : undefined)
  // Two themes define both colours in the same order; more values may be those of components.
  const isPlain = texts.length === grounds.length && texts.length <= 2 && !hasImage
  const isClear = isPlain && !isForced && !isHidden(styles) && !CLIPPED.test(styles) && !traits.includes('disabled')
  for (const [at, text] of isClear ? texts.entries() : []) {
    const ground = grounds[at]
    if (color && text && text.alpha > 0 && ground?.alpha === 1)
      yield { ...color.value.at(0), kind: 'contrast', text: colorOn(ground.hex, text), ground: ground.hex, ...face }
  }
  if (!traits.includes('print') && (leading ?? face.size ?? face.weight) !== undefined)
    yield { ...fonts[0]?.value.at(0), kind: 'type', ...type }
}

/** The colours of a rule for dark pages; those of a variable are judged where it is defined. */
function* schemeUses(declarations: readonly Declaration[], scope: Variables, ground: Rgba | undefined): Generator<Use> {
  for (const { property, value } of declarations) {
    const role = roleOf(property, false)
    if (!role) continue
    const behind = role === 'text' && ground?.alpha === 1 ? { ground: ground.hex } : {}
    for (const use of readColors(value, role, scope))
      if (use.kind === 'color' && use.color.alpha === 1)
        yield { ...pick(use, ['line', 'column', 'written']), kind: 'scheme', hex: use.color.hex, ...behind }
  }
}

const FONTS = wordSet('font font-family font-size font-weight line-height')
const BACKGROUNDS = wordSet('background background-color background-image')
const TEXT_FILL = '-webkit-text-fill-color'
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

function byImportance(a: Declaration, b: Declaration): number {
  return Number(isImportant(a)) - Number(isImportant(b))
}

function isImportant({ value }: Declaration): boolean {
  return /!\s*important\b/i.test(value.text)
}

function isPicture(background = 'image'): boolean {
  return /url\(|gradient|image/i.test(background)
}

/** The colours that are all of a value, except words and lengths of a background without a picture. */
function colorsIn(declaration: Declaration | undefined, scope: Variables): (Rgba | undefined)[] {
  const texts = expandAll(declaration?.value.text ?? '', scope)
  return texts.map((text = '') =>
    readColor(text.replace(/^none |(?= )(?<! [a-z\d.%/-]+)(?: (?:\/|[a-z-]+|[\d.]+(?:%|[a-z]+)?))+$/gi, '')),
  )
}
