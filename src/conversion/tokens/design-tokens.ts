import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { addNote, type FoundStyles, type Notes } from '../found-styles.ts'
import { isObject, type JsonObject } from '../json.ts'
import { hexOfCss } from '../screen-value.ts'
import { stylesWithoutToken } from './authored-values.ts'
import { colorStyles } from './color-tokens.ts'
import { type ResolvedToken, tokenReferences } from './token-references.ts'
import { nameOf, readTokenTree, type Token } from './token-tree.ts'
import { partOf, typeStyles } from './type-tokens.ts'

/**
 * Reads the colours and type styles of a design token file: Design Tokens 2025.10 (also from Figma) and its older form,
 * Tokens Studio, Style Dictionary. Notes tokens that guides do not support. The problem is the end of a sentence.
 */
export function readDesignTokens(root: JsonObject, notes: Notes): Result<FoundStyles, string> {
  const tree = readTokenTree(root, notes)
  if (!tree.ok) return tree
  const tokenless = stylesWithoutToken(root)
  if (tree.value.length + tokenless.length === 0)
    return failed('has no design token: none of its objects has a "$value" or a "value"')
  const references = tokenReferences(root, tree.value)
  const resolved: ResolvedToken[] = []
  const origins = new Map<ResolvedToken, Token>()
  for (const token of tree.value) {
    const resolution = references.resolve(token)
    const each = resolution.ok ? { ...token, ...resolution.value } : undefined
    if (!resolution.ok) addNote(notes, nameOf(token.path), resolution.problem)
    else if (each && !isModified(token, notes)) resolved.push(each)
    if (each) origins.set(each, token)
  }
  const isUsed = (token: ResolvedToken) => references.used.has(origins.get(token) ?? token)
  const kinds = Map.groupBy(resolved, kindOf)
  const parts = kinds.get('part')?.filter(token => !isUsed(token)) ?? []
  const { types, left } = typeStyles(kinds.get('typography') ?? [], parts, notes)
  const others = kinds.get('other')?.filter(token => !isUsed(token)) ?? []
  for (const { path, type } of [...left, ...others]) addNote(notes, nameOf(path), otherType(type))
  return ok({ colors: colorStyles(kinds.get('color') ?? [], notes), types: [...types, ...tokenless], notes })
}

/** Whether Tokens Studio computes the value from another one; adds a note if so. */
function isModified({ path, extensions }: Token, notes: Notes): boolean {
  const studio = extensions?.get('studio.tokens')
  const isComputed = isObject(studio) && studio.has('modify')
  if (isComputed)
    addNote(notes, nameOf(path), 'is computed from another colour ("modify"); write the value itself; left out')
  return isComputed
}

function kindOf(token: ResolvedToken): 'color' | 'typography' | 'part' | 'other' {
  const { type, value } = token
  if (type === 'color' || type === 'typography') return type
  if (partOf(token) !== undefined) return 'part'
  if (type !== undefined) return 'other'
  if (isObject(value)) return value.has('colorSpace') ? 'color' : value.has('fontSize') ? 'typography' : 'other'
  const isWritten = typeof value === 'string' && (/^\s*(?:#|\w+\()/.test(value) || token.path.some(isAboutColor))
  return isWritten && hexOfCss(value).ok ? 'color' : 'other'
}

function isAboutColor(name: string): boolean {
  return /colou?r/i.test(name)
}

function otherType(type: string | undefined): string {
  return type === undefined
    ? 'has no type, and its value is neither a colour nor a type style; left out'
    : `a single token of the type ${quote(type)} is not a style; left out`
}
