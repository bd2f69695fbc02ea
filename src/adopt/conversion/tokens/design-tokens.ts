import { dirname, join } from 'node:path/posix'
import { globTokens, isCovered } from '#brand/glob.ts'
import { parseHex } from '#brand/styles/screen-color.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes } from '#brand/tokens/found-styles.ts'
import { schemesOf } from '#brand/tokens/scheme.ts'
import { withoutReplaced } from '#brand/tokens/token-order.ts'
import {
  authoredValues,
  pointerKeys,
  readTokenTree,
  stylesWithoutToken,
  type Token,
  type TokenFile,
  tokenName,
} from '#brand/tokens/token-tree.ts'
import { readCssColor, readTokenColor, type ScreenColor } from '#formats/css/css-color.ts'
import { budgetFor } from '#formats/json/budget.ts'
import { isObject, type Json, type JsonObject, jsonText, member, textMember } from '#formats/json/json.ts'
import { listIn, withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import { withResolved } from './resolver.ts'
import { nameColors } from './token-names.ts'
import { type References, type Resolution, type ResolvedToken, tokenReferences } from './token-references.ts'
import { partOf, typeStyles } from './type-tokens.ts'

/**
 * Reads Design Tokens 2025.10 and older, Tokens Studio and Style Dictionary. References cross the files, as those tools
 * merge them. The problem of a file ends a sentence.
 */
export function readDesignTokens(files: readonly TokenFile[]): Result<FoundStyles, string>[] {
  const budget = budgetFor(files.map(({ root }) => root))
  const documents = withResolved(files, budget)
  const roots = documents.map(({ root }) => root)
  const trees = inOrder(
    files,
    documents.map(file => readTokenTree(file, roots, budget)),
  )
  const references = tokenReferences(trees.flat(), budget)
  const resolved = trees.map(tree => tree.map(token => ({ token, result: references.resolve(token) })))
  return documents.map(({ root, notes, role, sheet }, at) => {
    const tokenless = stylesWithoutToken(root)
    const isEmpty = (trees[at]?.length ?? 0) + tokenless.length === 0
    if (isEmpty && role === undefined) return failed(NO_TOKEN)
    return ok(withoutUndefined({ ...stylesOf(resolved[at] ?? [], references, tokenless, notes), role, sheet }))
  })
}

/** The tokens of files without those that a file of a higher rank replaces. */
function inOrder(files: readonly TokenFile[], trees: readonly Token[][]): Token[][] {
  const ranks = ranksOf(files)
  const ranked = [...ranks].toSorted(([, one], [, other]) => one - other).map(([file]) => file)
  const sets = ranked.map(file => ({ name: file.path, tokens: trees[files.indexOf(file)] ?? [], notes: file.notes }))
  const kept = new Map(withoutReplaced(sets).map((tokens, at) => [ranked[at], tokens]))
  return trees.map((tree, at) => kept.get(files[at]) ?? tree)
}

/** The files with a rank: their own, or that in the order of sets or sources that one of the files gives. */
function ranksOf(files: readonly TokenFile[]): Map<TokenFile, number> {
  const ranks = new Map(files.flatMap(file => (file.rank === undefined ? [] : [[file, file.rank] as const])))
  for (const { path, root } of files) {
    const sets = listIn(root.get('tokenSetOrder')).map(name => `${name}.json`)
    const lists = root.has('platforms') ? ['include', 'source'] : []
    const sources = lists.flatMap(key => listIn(root.get(key)).map(String))
    for (const [at, glob] of [...sets, ...sources].slice(0, MAX_ORDER).entries()) {
      const tokens = globTokens(join(dirname(path), glob))
      for (const file of files) if (isCovered(file.path, tokens, { isFolder: false })) ranks.set(file, at)
    }
  }
  return ranks
}

const MAX_ORDER = 100

const NO_TOKEN = 'has no design token: none of its objects outside lists has a "$value" or a "value"'

function stylesOf(
  resolutions: readonly { token: Token; result: Resolution }[],
  { used }: References,
  tokenless: readonly FoundStyle[],
  notes: Notes,
): FoundStyles {
  const resolved = resolutions.flatMap(({ token, result }): ResolvedToken[] => {
    if (!result.ok) addNote(notes, tokenName(token.path), ...result.problem)
    return result.ok && !isModified(token, notes) ? [{ ...token, ...result.value, origin: token }] : []
  })
  const isUnused = ({ origin }: ResolvedToken) => !used.has(origin)
  const kinds = Map.groupBy(resolved, kindOf)
  const [wholes = [], colors = [], parts = [], others = []] = KINDS.map(kind => kinds.get(kind))
  for (const { path, problems = [] } of [...wholes, ...colors])
    for (const problem of problems) addNote(notes, tokenName(path), ...problem)
  const { types, left } = typeStyles(wholes, parts.filter(isUnused), notes)
  for (const { path, type, value } of [...left, ...others.filter(isUnused)])
    addNote(
      notes,
      { name: tokenName(path), value: jsonText(value) },
      type === undefined ? 'untyped' : 'otherType',
      type,
    )
  return { colors: colorStyles(colors, notes), types: [...types, ...tokenless], notes }
}

/** The name of the token that a value refers to; undefined for other values. */
function referenceIn(value: Json): string | undefined {
  const pointer = textMember(value, '$ref')
  if (pointer !== undefined) return tokenName((pointerKeys(pointer) ?? []).filter(key => key !== '$value'))
  return groupsOf(/^\s*\{([^{}]+)\}\s*$/, jsonText(value))[1]
}

/** Whether Tokens Studio computes the value from another one; adds a note if so. */
function isModified({ path, extensions }: Token, notes: Notes): boolean {
  const studio = extensions?.get('studio.tokens')
  const isComputed = isObject(studio) && studio.has('modify')
  if (isComputed) addNote(notes, tokenName(path), 'modified')
  return isComputed
}

const KINDS = ['typography', 'color', 'part', 'other'] as const

function kindOf(token: ResolvedToken): (typeof KINDS)[number] {
  const { type, value } = token
  if (type === 'color' || type === 'typography') return type
  if (partOf(token) !== undefined) return 'part'
  if (type !== undefined) return 'other'
  if (member(value, 'fontSize') !== undefined) return 'typography'
  if (member(value, 'colorSpace') !== undefined) return 'color'
  const css = cssOf(value) ?? ''
  const isWritten = /[#(]/.test(css) || token.path.some(name => /colou?r/i.test(name))
  return isWritten && readCssColor(css) !== undefined ? 'color' : 'other'
}

/** Makes colours from colour tokens. Notes and omits a token without an sRGB colour. */
function colorStyles(tokens: readonly ResolvedToken[], notes: Notes): FoundStyle[] {
  const names = nameColors(tokens)
  return tokens.flatMap((token, at) => {
    const hex = readColorValue(token.value, tokenName(token.path), notes)
    if (hex === undefined) return []
    const authored = authoredValues(token)
    const { group, name = tokenName(token.path) } = { ...names[at], ...(token.name && { name: token.name }) }
    const fields = new Map<string, Json>([['hex', hex]])
    const described = Object.entries(withoutUndefined({ group, use: token.description }))
    for (const [key, value] of authored?.fields ?? described) if (key !== 'hex' && key !== 'rgb') fields.set(key, value)
    const place = { set: tokenName(token.set), path: tokenName(token.path), alias: referenceIn(token.origin.value) }
    return [{ name, ...authored, fields, token: place }]
  })
}

/** The hex of a colour token: a CSS string, or space and components. Notes a value that is not an opaque colour. */
function readColorValue(value: Json, subject: string, notes: Notes): string | undefined {
  const [css = '', dark] = schemesOf(cssOf(value) ?? '')
  if (dark !== undefined) addNote(notes, { name: subject, value: dark }, 'otherScheme', 'dark')
  const isSpace = isObject(value) && css === ''
  const color = isSpace ? colorOf(value, subject, notes) : readCssColor(css)
  if (color === undefined) addNote(notes, subject, 'noColor', shownValue(value))
  else if (color.alpha < 1) addNote(notes, `${subject} (${color.hex}, alpha ${color.alpha})`, 'notOpaque')
  else if (color.isMapped) addNote(notes, `${subject} (${color.hex})`, 'mapped')
  return color && color.alpha >= 1 ? color.hex : undefined
}

/** A text, or an object of red, green and blue, or of hue, saturation and lightness, as CSS; undefined for others. */
function cssOf(value: Json): string | undefined {
  if (typeof value === 'string') return value
  const numbers = (keys: string) => [...keys].map(key => Number(member(value, key) ?? Number.NaN))
  const alpha = member(value, 'a') ?? member(value, 'alpha') ?? 1
  const [rgb, [hue = 0, ...shares]] = [numbers('rgb'), numbers('hsl')]
  const areShares = rgb.every(each => each <= 1) && !rgb.every(Number.isInteger)
  if (!rgb.some(Number.isNaN)) return `rgb(${rgb.map(each => (areShares ? each * 255 : each)).join(' ')} / ${alpha})`
  const percents = shares.map(share => `${share <= 1 ? share * 100 : share}%`)
  return shares.some(Number.isNaN) ? undefined : `hsl(${hue} ${percents.join(' ')} / ${alpha})`
}

/** The components are the colour, and `hex` a fallback for spaces and colours that sRGB does not have. */
function colorOf(value: JsonObject, subject: string, notes: Notes): ScreenColor | undefined {
  const [space = '', hex] = [textMember(value, 'colorSpace'), textMember(value, 'hex')]
  const [components, alpha] = [value.get('components'), value.get('alpha')]
  const list = listIn(components)
  const color = readTokenColor(space, list, alpha, hex)
  if (alpha !== undefined && typeof alpha !== 'number' && alpha !== 'none') addNote(notes, subject, 'alphaNoNumber')
  const [given, exact] = [parseHex(hex ?? ''), parseHex(color?.hex ?? '')]
  if (value.has('hex') && !given.ok) addNote(notes, subject, 'hexNoDigits')
  if (!given.ok || !exact.ok) return color
  if (given.value.some((channel, at) => Math.abs(channel - (exact.value[at] ?? 0)) > 1))
    addNote(notes, `${subject} (${hex})`, 'otherHex')
  else if (readTokenColor(space, list, 1) === undefined) addNote(notes, subject, 'unknownSpace')
  return color
}

function shownValue(value: Json): string {
  if (!isObject(value)) return String(value)
  const [space, components] = [textMember(value, 'colorSpace'), value.get('components')]
  return space === undefined || !Array.isArray(components) ? 'an object' : `${space} ${components.join(' ')}`
}
