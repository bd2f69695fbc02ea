import type { FoundStyle } from '../found-styles.ts'
import type { Json } from '../json.ts'
import { addNote, type Notes } from '../notes.ts'
import { authoredValues } from './authored-values.ts'
import { readColorValue } from './token-colors.ts'
import { nameColors } from './token-names.ts'
import type { ResolvedToken } from './token-references.ts'
import { nameOf } from './token-tree.ts'

/** Makes colours from colour tokens. Notes and omits a token without an sRGB colour. */
export function colorStyles(tokens: readonly ResolvedToken[], notes: Notes): FoundStyle[] {
  const names = nameColors(tokens)
  return tokens.flatMap((token, at) => {
    const hex = readColorValue(token.value)
    if (!hex.ok) {
      addNote(notes, nameOf(token.path), hex.problem)
      return []
    }
    const authored = authoredValues(token)
    const { name = nameOf(token.path), group } = names[at] ?? {}
    const fields = new Map<string, Json>([['hex', hex.value]])
    if (!authored && group !== undefined) fields.set('group', group)
    if (!authored && token.description !== undefined) fields.set('use', token.description)
    for (const [key, value] of authored?.fields ?? []) if (key !== 'hex' && key !== 'rgb') fields.set(key, value)
    return [{ name, ...authored, fields }]
  })
}
