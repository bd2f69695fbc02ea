import { TOO_MANY_TOKENS } from '#brand/tokens/found-styles.ts'
import { readTokenTree } from '#brand/tokens/token-tree.ts'
import { readTokenColor } from '#formats/css/css-color.ts'
import { weightOfName, withoutSlope } from '#formats/font/font-weight.ts'
import { budgetFor } from '#formats/json/budget.ts'
import { type JsonNode, type JsonObject, parseJson } from '#formats/json/json.ts'
import { applyEdits, type Edit, groupsOf, wordTable } from '#platform/base/text.ts'
import { readColor, readColors } from './css/colors.ts'
import { readDeclarations } from './css/read-css.ts'
import { decodedPart, type SourceText } from './source.ts'
import type { ColorUse, Rgba, Use } from './use.ts'

/** Reads Design Tokens 2025.10, and the older forms of Style Dictionary and Tokens Studio, and web manifests. Aliases are left out. */
export function* readTokens(source: SourceText): Generator<Use> {
  const json = parseJson(source.text)
  if (!json.ok) {
    // The parser of V8 says where it stopped: `… in JSON at position 12`.
    const offset = groupsOf(/at position (\d+)/, json.problem)[1]
    return yield { kind: 'unreadable', ...(offset && source.at(Number(offset))), message: json.problem }
  }
  const root = json.value
  for (const key of ['theme_color', 'background_color']) yield* readColorMember(root.members, key, 'ground', source)
  yield* readTree(root, source)
}

/** Reads the tokens as `init` does. Lists are groups here, since the sources of resolver documents are lists. */
function* readTree(root: JsonNode, source: SourceText): Generator<Use> {
  const file = { path: '', root: treeOf(root), notes: new Map() }
  const budget = budgetFor([file.root])
  const tokens = readTokenTree(file, [], budget)
  if (budget.left < 0) yield { kind: 'unreadable', message: TOO_MANY_TOKENS }
  for (const { keys, path, type } of tokens) {
    // From the root along the keys, such as `color`, `brand`, `$value`.
    const value = keys.reduce<JsonNode | undefined>((node, key) => node?.members.get(key), root)
    const typeByName = path.some(name => /colou?r/i.test(name)) ? 'color' : undefined
    if (value) yield* readValue(value, type ?? typeByName, source)
  }
}

/**
 * The groups and tokens below a node, in the form that `readTokenTree` reads. Only the places of tokens are needed, so every
 * value that is not a string, such as a list of numbers, is an empty list.
 */
function treeOf({ members }: JsonNode): JsonObject {
  return new Map(Array.from(members, ([key, node]) => [key, stringOf(node) ?? (isGroup(node) ? treeOf(node) : [])]))
}

function isGroup({ scalar, isList, members }: JsonNode): boolean {
  const isListOfScalars = isList && members.values().every(item => item.scalar !== undefined)
  return scalar === undefined && !isListOfScalars
}

/** Reads the value of a token by its type, or by its form if it has none, and the colours inside it. */
function* readValue(value: JsonNode, type: string | undefined, source: SourceText): Generator<Use> {
  yield* VALUES.get(type ?? typeByForm(value))?.(value, source) ?? []
  const role = INNER_ROLES.find(([pattern]) => pattern.test(type ?? ''))?.[1] ?? 'definition'
  for (const { members } of [value, ...value.members.values()]) yield* readColorMember(members, 'color', role, source)
}

type ValueReader = (value: JsonNode, source: SourceText) => Iterable<Use>

/** The readers of values, by the types of tokens. */
const VALUES = wordTable<ValueReader>([
  [({ members }, source) => readFonts(members, source), 'typography'],
  [(value, source) => readFonts([['fontFamily', value]], source), 'fontFamily fontFamilies'],
  [(value, source) => readColorToken(value, 'definition', source), 'color'],
])

/**
 * The roles of the colours inside composite tokens; in all other types, such as gradients, they are definitions. Borders and
 * shadows may be black or grey, and definitions may not.
 */
const INNER_ROLES: readonly (readonly [RegExp, ColorUse['role']])[] = [
  [/^border$/, 'border'],
  [/shadow/i, 'shadow'],
]

function* readColorMember(
  members: JsonNode['members'],
  key: string,
  role: ColorUse['role'],
  source: SourceText,
): Generator<Use> {
  const color = members.get(key)
  if (color) yield* readColorToken(color, role, source)
}

/** The type of a value without one: `typography` or `color` by its form, and empty for others. */
function typeByForm(value: JsonNode): string {
  if (value.members.has('fontSize')) return 'typography'
  return value.members.has('colorSpace') || CSS_COLOR.test(stringOf(value) ?? '') ? 'color' : ''
}

const CSS_COLOR = /^\s*(?:#|\w+\()/

/** Reads a CSS colour, or a colour object (Color 2025.10 §4.1). */
function* readColorToken(node: JsonNode, role: ColorUse['role'], source: SourceText): Generator<Use> {
  const css = stringOf(node)
  const color = css === undefined ? colorOf(node) : readColor(css)
  // Tokens Studio writes gradients as CSS.
  if (!color) return yield* readColors(decodedPart(css ?? '', source, node.start), role, new Map())
  const fix = css === undefined ? objectFix(node, source) : textFix(node, css, source)
  yield { kind: 'color', ...source.at(node.start), color, written: css ?? color.hex, role, ...fix }
}

/** Replaces the text between the quotes, unless it has escapes. */
function textFix({ start, end }: JsonNode, css: string, { text, span }: SourceText) {
  return span && text.slice(start + 1, end - 1) === css ? { span: span(start + 1, end - 1) } : {}
}

/** Replaces the members with the colour, so that the object keeps its lines, alpha and other members. */
function objectFix(node: JsonNode, { text, span }: SourceText) {
  const { start, end } = node
  const rewrite = (hex: string) => applyEdits(text.slice(start, end), colorEdits(node, hex))
  return { ...(span && { span: span(start, end) }), rewrite }
}

/** The colour of an object; undefined if a value is missing or a reference. */
function colorOf({ members }: JsonNode): Rgba | undefined {
  const components = componentsOf(members).map(({ scalar }) => scalar)
  const space = stringOf(members.get('colorSpace')) ?? ''
  const alpha = members.get('alpha')?.scalar
  const color = readTokenColor(space, components, alpha, stringOf(members.get('hex')))
  return color && { hex: color.hex, alpha: color.alpha }
}

function componentsOf(members: JsonNode['members']): JsonNode[] {
  const components = members.get('components')?.members
  return ['0', '1', '2'].flatMap(index => components?.get(index) ?? [])
}

/** The edits that give an object another colour, in sRGB, with offsets in the text of the object. */
function colorEdits({ start, members }: JsonNode, hex: string): Edit[] {
  const channels = [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const nodes = [members.get('colorSpace'), members.get('hex'), ...componentsOf(members)]
  const values = ['srgb', hex, ...channels.map(channel => Number(channel.toFixed(4)))]
  return nodes.flatMap((node, at) =>
    node ? [{ start: node.start - start, end: node.end - start, text: JSON.stringify(values[at]) }] : [],
  )
}

/** Reads the family, size, weight and line height among members like the declarations of a CSS rule. */
function readFonts(members: Iterable<[string, JsonNode]>, source: SourceText): Generator<Use> {
  const declarations = Array.from(members).flatMap(([key, node]) => {
    const text = cssText(key, node)
    const property = FONT_PROPERTIES.get(key)
    // `{size.body}` is a reference.
    if (property === undefined || text.includes('{')) return []
    return [{ property, value: decodedPart(text, source, node.start) }]
  })
  return readDeclarations(declarations, { syntax: 'css', variables: new Map() })
}

const FONT_PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['fontFamily', 'font-family'],
  ['fontSize', 'font-size'],
  ['fontWeight', 'font-weight'],
  ['lineHeight', 'line-height'],
])

/** A value in CSS, from `16`, `"16px"`, `{ value: 16, unit: "px" }` or a list of families, of which the first counts. */
function cssText(key: string, { scalar, members }: JsonNode): string {
  const value = members.get('value') ?? members.get('0') ?? { scalar }
  const text = `${value.scalar}${stringOf(members.get('unit')) ?? ''}`
  if (key === 'fontWeight' && !text.includes('{')) return `${weightOfName(withoutSlope(text).upright) ?? text}`
  // Drawing programs write line heights in px without a unit.
  return key === 'lineHeight' && Number(text) > 4 ? `${text}px` : text
}

function stringOf(node: JsonNode | undefined): string | undefined {
  return typeof node?.scalar === 'string' ? node.scalar : undefined
}
