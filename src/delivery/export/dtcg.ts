import type { Color } from '#brand/color.ts'
import { TOKEN_EXTENSION } from '#brand/fields.ts'
import type { StyleId } from '#brand/ids.ts'
import { darkColors } from '#brand/styles/dark-values.ts'
import { isBraced, isTokenFamily, tokenKey } from '#brand/styles/style-omissions.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { nameOfWeight } from '#formats/font/font-weight.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok } from '#platform/base/result.ts'
import { guideName } from '#serving/publications/publications.ts'
import {
  describeStyleOmissions,
  type Exported,
  type ExportSource,
  headLines,
  type MakeExport,
  textFile,
} from './format.ts'

/** Design tokens in the Design Tokens Community Group format, 2025.10. */
export const dtcg: MakeExport = async source => ok(tokenFile('tokens.json', await tokensOf(source, FORM)))

/** Only the colours with another value on dark grounds, for tools that merge it over `tokens.json`. */
export const dtcgDark: MakeExport = async source => {
  const dark = await darkTokens(source, FORM)
  return dark ? ok(tokenFile('tokens.dark.json', dark)) : NO_DARK
}

/** A document of the Resolver Module 2025.10 that contains both schemes, so that it has no references to other files. */
export const dtcgResolver: MakeExport = async source => {
  const light = await tokensOf(source, FORM)
  const dark = await darkTokens(source, FORM)
  if (!dark) return NO_DARK
  const about = {
    $schema: 'https://www.designtokens.org/schemas/2025.10/resolver.json',
    name: tokenDescription(guideName(source)),
    version: '2025.10',
    description: tokenDescription(headLines(source, [])[0] ?? ''),
  }
  const parts = [
    `{\n${membersText(about)},\n"sets": { "brand": { "sources": [\n`,
    ...light.parts,
    '] } },\n"modifiers": { "scheme": { "contexts": { "light": [], "dark": [\n',
    ...dark.parts,
    '] }, "default": "light" } },\n"resolutionOrder": [{ "$ref": "#/sets/brand" }, { "$ref": "#/modifiers/scheme" }]\n}\n',
  ]
  return ok(tokenFile('tokens.resolver.json', { parts, leftOut: light.leftOut }))
}

const NO_DARK = failed(
  'no colour has a value for dark grounds: write one in styles/colors.yaml, as in dark: "#8ab8ee", or export dtcg',
)

const FORM: TokenForm = {
  format: 'dtcg',
  head: { $schema: 'https://www.designtokens.org/schemas/2025.10/format.json' },
  types: {
    color: 'color',
    typography: 'typography',
    fontFamily: 'fontFamily',
    fontSize: 'dimension',
    fontWeight: 'fontWeight',
    lineHeight: 'number',
    letterSpacing: 'dimension',
  },
  color: colorValue,
  parts: partValues,
  noSpacing: pixels(0),
  hasThemes: false,
}

/** Format 2025.10 §8.1, and Color 2025.10 §4.2 on sRGB. */
function colorValue({ rgb, hex }: Pick<Color, 'rgb' | 'hex'>) {
  const components = rgb.split(',').map(channel => roundTo6(Number(channel) / 255))
  return { colorSpace: 'srgb', components, alpha: 1, hex }
}

/** The parts of a type style as the format has them; undefined where the style has no value. */
function partValues(style: TypeStyle) {
  const { size, weight, leading } = style
  const families = tokenFamilies(style)
  const spacing = letterSpacingOf(style)
  return {
    fontFamily: families.length > 1 ? families : families[0],
    fontSize: size === undefined ? undefined : pixels(size),
    fontWeight: weight,
    lineHeight: leading,
    letterSpacing: spacing === undefined ? undefined : pixels(spacing),
  }
}

/** Format 2025.10 §8.2. */
function pixels(value: number) {
  return { value, unit: 'px' }
}

/**
 * The form of the earlier drafts, which Penpot and Tokens Studio read: strings with units. In Tokens Studio, each group is
 * a set. With values for dark grounds, it has two themes.
 */
export const dtcgLegacy: MakeExport = async source =>
  ok(tokenFile('tokens.legacy.json', await tokensOf(source, LEGACY_FORM)))

/** The themes of Tokens Studio: in that for dark pages, the last set replaces colours. */
function themesOf(sets: readonly string[]): object {
  const themeOf = (name: string, selected: readonly string[]) => {
    const selectedTokenSets = Object.fromEntries(selected.map(set => [set, 'enabled']))
    return { id: name.toLowerCase(), name, group: 'scheme', selectedTokenSets }
  }
  const allSets = [...sets, DARK_SET]
  return { $themes: [themeOf('Light', sets), themeOf('Dark', allSets)], $metadata: { tokenSetOrder: allSets } }
}

const DARK_SET = 'dark'

const LEGACY_FORM: TokenForm = {
  format: 'dtcg-legacy',
  // Tokens Studio parses anything next to groups as tokens.
  head: undefined,
  types: {
    color: 'color',
    typography: 'typography',
    fontFamily: 'fontFamilies',
    fontSize: 'fontSizes',
    fontWeight: 'fontWeights',
    lineHeight: 'lineHeights',
    letterSpacing: 'letterSpacing',
    textCase: 'textCase',
    paragraphSpacing: 'paragraphSpacing',
  },
  color: ({ hex }) => hex,
  parts: legacyValues,
  noSpacing: '0px',
  hasThemes: true,
}

/** The parts of a type style as Tokens Studio has them. */
function legacyValues(style: TypeStyle) {
  const { size, leading, casing, spacing } = style
  const letterSpacing = letterSpacingOf(style)
  return {
    fontFamily: tokenFamilies(style)[0],
    fontSize: size === undefined ? undefined : `${size}px`,
    fontWeight: weightOf(style),
    // Figma reads a bare number as px.
    lineHeight: leading === undefined ? undefined : `${roundTo6(leading * 100)}%`,
    letterSpacing: letterSpacing === undefined ? undefined : `${letterSpacing}px`,
    textCase: casing === 'none' ? undefined : casing === 'small-caps' ? 'small_caps' : casing,
    paragraphSpacing: spacing === undefined || size === undefined ? undefined : `${roundTo6(spacing * size)}px`,
  }
}

/**
 * The weight as a number; for an italic style, its name with the italic, such as `SemiBold Italic`, because the form has no other
 * place for that.
 */
function weightOf({ weight, style }: TypeStyle): string | number | undefined {
  const name = weight === undefined || style !== 'italic' ? undefined : nameOfWeight(weight)
  return name === undefined ? weight : `${name} Italic`
}

/** The way in which a design token format writes values. */
type TokenForm = {
  format: 'dtcg' | 'dtcg-legacy'
  /** The start of the file; undefined if its readers parse anything there as tokens. */
  head: Readonly<Record<string, string>> | undefined
  /** The `$type` of each group of tokens. */
  types: Readonly<Partial<Record<TokenGroup, string>>>
  color: (color: Pick<Color, 'rgb' | 'hex'>) => unknown
  /** The known values of a type style. Each is a token in its own group unless they form one whole token. */
  parts: (style: TypeStyle) => Readonly<Partial<Record<TypePart, unknown>>>
  /** The letter spacing of a whole token without authored tracking. */
  noSpacing: unknown
  /** Whether one file has both schemes, as sets of tokens in themes. */
  hasThemes: boolean
}

const TYPE_PARTS = [
  'fontFamily',
  'fontSize',
  'fontWeight',
  'lineHeight',
  'letterSpacing',
  'textCase',
  'paragraphSpacing',
] as const
const GROUPS = ['color', 'typography', ...TYPE_PARTS] as const
type TypePart = (typeof TYPE_PARTS)[number]
type TokenGroup = (typeof GROUPS)[number]

/** The required parts of a whole token; letter spacing has a default (Format 2025.10 §9.7). */
const NEEDED = ['fontFamily', 'fontSize', 'fontWeight', 'lineHeight'] as const

/** The text of an object of tokens, and the values that it omits. */
type Tokens = { parts: readonly string[]; leftOut: readonly string[] }

function tokenFile(file: string, { parts, leftOut }: Tokens): Exported {
  return { files: [textFile(file, parts)], leftOut }
}

/**
 * Design tokens with a group for each kind. A type style is one token if all its parts are known, otherwise one token per
 * part. The `$extensions` of each token contain the authored values of its style. If the form has a head, its
 * `$extensions` list styles without a token under `types`.
 */
async function tokensOf(source: ExportSource, form: TokenForm): Promise<Tokens> {
  const colors = await source.publication.content.colors()
  const types = await source.publication.content.types()
  const groups = new Map<TokenGroup, string[]>(GROUPS.map(group => [group, []]))
  const withoutToken: TypeStyle[] = []
  for (const { id, hex, rgb, ...authored } of colors)
    groups.get('color')?.push(tokenText(id, form.types.color, form.color({ hex, rgb }), authored))
  for (const style of types) {
    const tokens = typeTokens(style, form)
    for (const [group, token] of tokens) groups.get(group)?.push(token)
    if (tokens.length === 0) withoutToken.push(style)
  }
  const leftOut = describeStyleOmissions(form.format, colors, types)
  const about = form.head && { ...form.head, ...aboutFile(source, leftOut, withoutToken) }
  const sections = groupSections(groups)
  // A set of the dark values, and the themes that use it. Each group is a set, too.
  const darkTokenTexts = form.hasThemes ? darkColors(colors).map(color => darkToken(color, form)) : []
  if (darkTokenTexts.length > 0) {
    const sets = [...groups].filter(([, tokens]) => tokens.length > 0).map(([group]) => group)
    sections.push(groupTexts(DARK_SET, darkTokenTexts), [membersText(themesOf(sets))])
  }
  return { parts: objectParts(about, sections), leftOut }
}

/** Tokens of the colours with another value on dark grounds, with the same names; undefined without any. */
async function darkTokens(source: ExportSource, form: TokenForm): Promise<Tokens | undefined> {
  const colors = darkColors(await source.publication.content.colors())
  if (colors.length === 0) return undefined
  const about = { ...form.head, ...aboutFile(source, [], []) }
  const section = groupTexts(
    'color',
    colors.map(color => darkToken(color, form)),
  )
  return { parts: objectParts(about, [section]), leftOut: describeStyleOmissions(form.format, colors, []) }
}

/** The token of a colour for dark grounds, of which only the name and the use are also authored values. */
function darkToken({ id, name, use, ...color }: Color, form: TokenForm): string {
  return tokenText(id, form.types.color, form.color(color), { name, ...(use !== undefined && { use }) })
}

/** The texts of the groups that have tokens. */
function groupSections(groups: ReadonlyMap<TokenGroup, readonly string[]>): string[][] {
  return [...groups].filter(([, tokens]) => tokens.length !== 0).map(([group, tokens]) => groupTexts(group, tokens))
}

/** The members of an object as lines of JSON, without the braces around them. */
function membersText(object: object): string {
  return JSON.stringify(object, null, 2).slice(2, -2)
}

/** An object in pieces of text: what is about the file, then the groups, with commas between them. */
function objectParts(about: object | undefined, groups: readonly string[][]): string[] {
  const sections = [...(about ? [[membersText(about)]] : []), ...groups]
  const parts = ['{\n', ...sections.flatMap((texts, at) => [at === 0 ? '' : ',\n', ...texts]), '\n}\n']
  // Style Dictionary reads JSON as JSON5, which warns about these two in strings.
  return parts.map(part => part.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'))
}

/** The description of a file, and its origin and omissions as an extension. */
function aboutFile(source: ExportSource, leftOut: readonly string[], withoutToken: readonly TypeStyle[]) {
  const { publication, isPublished, urls } = source
  const about = withoutUndefined({
    ...withoutBraces({ name: guideName(source) }),
    revision: isPublished ? publication.published.revision : undefined,
    snapshot: publication.published.snapshot.toString(),
    url: urls?.project(publication.record),
    leftOut: leftOut.length > 0 ? leftOut : undefined,
    types:
      withoutToken.length > 0
        ? Object.fromEntries(withoutToken.map(({ id, ...authored }) => [id, withoutBraces(authored)]))
        : undefined,
  })
  const [first = ''] = headLines(source, [])
  return { $description: tokenDescription(first), $extensions: { [TOKEN_EXTENSION]: about } }
}

/** The tokens of a type style, each with its group: one whole token if possible. */
function typeTokens(style: TypeStyle, form: TokenForm): [TokenGroup, string][] {
  const { id, ...authored } = style
  const parts = form.parts(style)
  const isWhole = NEEDED.every(part => parts[part] !== undefined)
  const whole = { ...parts, letterSpacing: parts.letterSpacing ?? form.noSpacing }
  const values: readonly (readonly [TokenGroup, unknown])[] = isWhole
    ? [['typography', Object.fromEntries(TYPE_PARTS.map(part => [part, whole[part]]))]]
    : TYPE_PARTS.map(part => [part, parts[part]])
  return values.flatMap(([group, value]) =>
    value === undefined ? [] : [[group, tokenText(id, form.types[group], value, authored)]],
  )
}

/** A token on its own line, so that two versions of a file are easy to compare. */
function tokenText(
  id: StyleId,
  type: string | undefined,
  value: unknown,
  authored: Readonly<{ name: string; use?: string }>,
): string {
  const { name, use } = authored
  const key = tokenKey({ id })
  const token = {
    $type: type,
    $value: value,
    $description: tokenDescription(use === undefined ? name : `${name}: ${use}`),
    $extensions: { [TOKEN_EXTENSION]: { ...(key !== id && { id }), ...withoutBraces(authored) } },
  }
  return `${JSON.stringify(key)}: ${JSON.stringify(token)}`
}

/** Authored values, those with braces as one encoded string, because tools read `{name}` in any string as a reference. */
function withoutBraces(authored: object): object {
  const braced = Object.entries(authored).filter(([, value]) => isBraced(value))
  if (braced.length === 0) return authored
  const others = Object.entries(authored).filter(([, value]) => !isBraced(value))
  const encoded = encodeURIComponent(JSON.stringify(Object.fromEntries(braced)))
  return { ...Object.fromEntries(others), encoded }
}

/** A group as a member of an object, with a token on each line. */
function groupTexts(group: string, tokens: readonly string[]): string[] {
  const lines = tokens.map((token, at) => `${at === 0 ? '' : ','}\n    ${token}`)
  return [`  ${JSON.stringify(group)}: {`, ...lines, '\n  }']
}

/** A description that tools can copy into comments of any language; braces would be references. */
function tokenDescription(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\*(?=\/)/g, '* ')
    .replace(/\/(?=\*)/g, '/ ')
    .replace(/-(?=-)/g, '- ')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
}

/** The family and its fallbacks without names that token programs cannot write; empty without a family. */
function tokenFamilies({ family, fallback = [] }: TypeStyle): string[] {
  if (family === undefined || !isTokenFamily(family)) return []
  return [family, ...fallback.filter(isTokenFamily)]
}

/** Letter spacing in px; undefined without an authored tracking or size. */
function letterSpacingOf({ tracking, size }: TypeStyle): number | undefined {
  if (tracking === 0) return 0
  return tracking === undefined || size === undefined ? undefined : roundTo6(tracking * size)
}

/** Rounds to six digits: 45 × -0.015 is -0.6749999999999999. Adding 0 makes -0 into 0. */
function roundTo6(value: number): number {
  return Number(value.toFixed(6)) + 0
}
