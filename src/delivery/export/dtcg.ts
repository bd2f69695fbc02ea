import type { Color } from '#brand/color.ts'
import { TOKEN_EXTENSION } from '#brand/fields.ts'
import type { StyleId } from '#brand/ids.ts'
import { nameOfWeight } from '#brand/styles/font-weight.ts'
import { isBraced, isTokenFamily, tokenKey } from '#brand/styles/style-omissions.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { ok } from '#platform/base/result.ts'
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
export const dtcg: MakeExport = async source => ok(await tokenFile(source, FORM))

const FORM: TokenForm = {
  format: 'dtcg',
  file: 'tokens.json',
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
}

/** Format 2025.10 §8.1, and Color 2025.10 §4.2 on sRGB. */
function colorValue({ rgb, hex }: Pick<Color, 'rgb' | 'hex'>) {
  const components = rgb.split(',').map(channel => roundTo6(Number(channel) / 255))
  return { colorSpace: 'srgb', components, alpha: 1, hex }
}

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

/** The form of the earlier drafts, which Penpot and Tokens Studio read: strings with units. */
export const dtcgLegacy: MakeExport = async source => ok(await tokenFile(source, LEGACY_FORM))

const LEGACY_FORM: TokenForm = {
  format: 'dtcg-legacy',
  file: 'tokens.legacy.json',
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
}

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

/** The weight includes the italic, for which it needs its name: `SemiBold Italic`. */
function weightOf({ weight, style }: TypeStyle): string | number | undefined {
  const name = weight === undefined || style !== 'italic' ? undefined : nameOfWeight(weight)
  return name === undefined ? weight : `${name} Italic`
}

/** The way in which a design token format writes values. */
type TokenForm = {
  format: 'dtcg' | 'dtcg-legacy'
  file: string
  /** The start of the file; undefined if its readers parse anything there as tokens. */
  head: Readonly<Record<string, string>> | undefined
  /** The `$type` of each group of tokens. */
  types: Readonly<Partial<Record<TokenGroup, string>>>
  color: (color: Pick<Color, 'rgb' | 'hex'>) => unknown
  /** The known values of a type style. Each is a token in its own group unless they form one whole token. */
  parts: (style: TypeStyle) => Readonly<Partial<Record<TypePart, unknown>>>
  /** The letter spacing of a whole token without authored tracking. */
  noSpacing: unknown
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

/**
 * A design token file with a group for each kind. A type style is one token if all its parts are known, otherwise one
 * token per part. The `$extensions` of each token contain the authored values of its style. If the file has a head, its
 * `$extensions` list styles without a token under `types`.
 */
async function tokenFile(source: ExportSource, form: TokenForm): Promise<Exported> {
  const colors = await source.publication.content.colors()
  const types = await source.publication.content.types()
  const groups = new Map<TokenGroup, string[]>(GROUPS.map(group => [group, []]))
  const without: TypeStyle[] = []
  for (const { id, hex, rgb, ...authored } of colors)
    groups.get('color')?.push(tokenText(id, form.types.color, form.color({ hex, rgb }), authored))
  for (const style of types) {
    const tokens = typeTokens(style, form)
    for (const [group, token] of tokens) groups.get(group)?.push(token)
    if (tokens.length === 0) without.push(style)
  }
  const leftOut = describeStyleOmissions(form.format, colors, types)
  const about = form.head && { ...form.head, ...aboutFile(source, leftOut, without) }
  const sections = [
    ...(about ? [[JSON.stringify(about, null, 2).slice(2, -2)]] : []),
    ...[...groups].flatMap(([group, tokens]) => (tokens.length === 0 ? [] : [groupTexts(group, tokens)])),
  ]
  const parts = ['{\n', ...sections.flatMap((texts, at) => [at === 0 ? '' : ',\n', ...texts]), '\n}\n']
  // Style Dictionary reads JSON as JSON5, which warns about these two in strings.
  const escaped = parts.map(part => part.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'))
  return { files: [textFile(form.file, escaped)], leftOut }
}

function aboutFile(source: ExportSource, leftOut: readonly string[], without: readonly TypeStyle[]) {
  const { publication, isPublished, urls } = source
  const about = withoutUndefined({
    ...withoutBraces({ name: guideName(source) }),
    revision: isPublished ? publication.published.revision : undefined,
    snapshot: publication.published.snapshot.toString(),
    url: urls?.project(publication.record),
    leftOut: leftOut.length > 0 ? leftOut : undefined,
    types:
      without.length > 0
        ? Object.fromEntries(without.map(({ id, ...authored }) => [id, withoutBraces(authored)]))
        : undefined,
  })
  const [first = ''] = headLines(source, [])
  return { $description: tokenDescription(first), $extensions: { [TOKEN_EXTENSION]: about } }
}

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

/** Authored values, those with braces as one encoded string. */
function withoutBraces(authored: object): object {
  const braced = Object.entries(authored).filter(([, value]) => isBraced(value))
  if (braced.length === 0) return authored
  const others = Object.entries(authored).filter(([, value]) => !isBraced(value))
  const encoded = encodeURIComponent(JSON.stringify(Object.fromEntries(braced)))
  return { ...Object.fromEntries(others), encoded }
}

function groupTexts(group: TokenGroup, tokens: readonly string[]): string[] {
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

/** Rounds to six digits: 45 × -0.015 is -0.6749999999999999. */
function roundTo6(value: number): number {
  return Number(value.toFixed(6)) + 0
}
