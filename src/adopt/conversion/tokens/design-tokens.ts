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
  referenceIn,
  stylesWithoutToken,
  type Token,
  type TokenFile,
  tokenName,
} from '#brand/tokens/token-tree.ts'
import { isColorName, readCssColor, readTokenColor, type ScreenColor } from '#formats/css/css-color.ts'
import { budgetFor } from '#formats/json/budget.ts'
import { isObject, type Json, jsonText, member, textIn, textMember } from '#formats/json/json.ts'
import { listIn, withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
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
    const [tokens, tokenless] = [resolved[at] ?? [], stylesWithoutToken(root)]
    if (tokens.length + tokenless.length === 0 && role === undefined) return failed(NO_TOKEN)
    return ok(withoutUndefined({ ...stylesOf(tokens, references, tokenless, notes), role, sheet }))
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
    if (result.ok) return [{ ...token, ...result.value, origin: token }]
    addNote(notes, tokenName(token.path), ...result.problem)
    return []
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
function aliasIn(value: Json): string | undefined {
  const pointer = textMember(value, '$ref')
  if (pointer === undefined) return referenceIn(jsonText(value))
  return tokenName(pointerKeys(pointer).filter(key => key !== '$value'))
}

const KINDS = ['typography', 'color', 'part', 'other'] as const

function kindOf(token: ResolvedToken): (typeof KINDS)[number] {
  const type = token.type ?? typeByForm(token)
  if (type === 'color' || type === 'typography') return type
  return partOf(token) === undefined ? 'other' : 'part'
}

/** The type of a value without one; empty for values of other forms. The name of a colour is one only in a group of colours. */
function typeByForm({ path, value }: ResolvedToken): string {
  if (member(value, 'fontSize') !== undefined) return 'typography'
  if (member(value, 'colorSpace') !== undefined) return 'color'
  const css = cssOf(value)
  const isColor = readCssColor(css) !== undefined && (!isColorName(css) || path.some(isOfColors))
  return isColor ? 'color' : ''
}

function isOfColors(name: string): boolean {
  return COLOR_WORDS.some(word => name.toLowerCase().includes(word))
}

const COLOR_WORDS = ['color', 'colour']

/** Makes colours from colour tokens. Notes and omits a token without an sRGB colour. */
function colorStyles(tokens: readonly ResolvedToken[], notes: Notes): FoundStyle[] {
  const names = nameColors(tokens)
  return tokens.flatMap((token, at) => {
    const hex = readColorValue(token.value, tokenName(token.path), notes)
    if (hex === undefined) return []
    const authored = authoredValues(token)
    const { group, name = tokenName(token.path) } = { ...names[at], ...(token.name && { name: token.name }) }
    const described = Object.entries(withoutUndefined({ group, use: token.description }))
    // The hex is the first field, and replaces an authored one.
    const fields = new Map<string, Json>([['hex', hex], ...(authored?.fields ?? described), ['hex', hex]])
    fields.delete('rgb')
    const place = { set: tokenName(token.set), path: tokenName(token.path), alias: aliasIn(token.origin.value) }
    return [{ name, ...authored, fields, token: place }]
  })
}

/** The hex of a colour token: a CSS string, or space and components. Notes a value that is not an opaque colour. */
function readColorValue(value: Json, subject: string, notes: Notes): string | undefined {
  const [css = '', ...dark] = schemesOf(cssOf(value))
  for (const each of dark) addNote(notes, { name: subject, value: each }, 'otherScheme', 'dark')
  const color = readCssColor(css) ?? colorOf(value, subject, notes)
  if (color === undefined) addNote(notes, subject, 'noColor', shownValue(value))
  else if (color.alpha < 1) addNote(notes, `${subject} (${color.hex}, alpha ${color.alpha})`, 'notOpaque')
  else if (color.isMapped) addNote(notes, `${subject} (${color.hex})`, 'mapped')
  return color && color.alpha >= 1 ? color.hex : undefined
}

/** A text, or an object of red, green and blue, or of hue, saturation and lightness, as CSS; empty for others. */
function cssOf(value: Json): string {
  if (typeof value === 'string') return value
  const numbers = (keys: string) => [...keys].map(key => Number(member(value, key) ?? Number.NaN))
  const [alpha = 1] = ['a', 'alpha'].flatMap(key => member(value, key) ?? [])
  const [rgb, [hue, ...shares]] = [numbers('rgb'), numbers('hsl')]
  const areShares = rgb.every(each => each <= 1) && !rgb.every(Number.isInteger)
  const channels = rgb.map(each => (areShares ? each * 255 : each))
  const percents = shares.map(share => `${share <= 1 ? share * 100 : share}%`)
  const forms = [`rgb(${channels.join(' ')} / ${alpha})`, `hsl(${hue} ${percents.join(' ')} / ${alpha})`]
  return forms.find(css => !css.includes('NaN')) ?? ''
}

/** The components are the colour, and `hex` a fallback for spaces and colours that sRGB does not have. */
function colorOf(value: Json, subject: string, notes: Notes): ScreenColor | undefined {
  const [space, hex] = [textIn(value, 'colorSpace'), textIn(value, 'hex')]
  const [list, alpha = 1] = [listIn(member(value, 'components')), member(value, 'alpha')]
  const color = readTokenColor(space, list, alpha, hex)
  if (typeof alpha !== 'number' && alpha !== 'none') addNote(notes, subject, 'alphaNoNumber')
  const [given, exact] = [parseHex(hex), parseHex(color?.hex ?? '')]
  if (member(value, 'hex') !== undefined && !given.ok) addNote(notes, subject, 'hexNoDigits')
  if (!given.ok || !exact.ok) return color
  if (given.value.some((channel, at) => Math.abs(channel - (exact.value[at] ?? 0)) > 1))
    addNote(notes, `${subject} (${hex})`, 'otherHex')
  else if (readTokenColor(space, list, 1) === undefined) addNote(notes, subject, 'unknownSpace')
  return color
}

function shownValue(value: Json): string {
  if (!isObject(value)) return String(value)
  const components = listIn(value.get('components'))
  return [textMember(value, 'colorSpace') ?? 'an object', ...components].join(' ')
}
