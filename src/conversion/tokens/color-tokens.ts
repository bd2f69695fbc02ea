import { failed, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { addNote, type FoundStyle, type Notes } from '../found-styles.ts'
import { isObject, type Json, textMember } from '../json.ts'
import { hexOfComponents, hexOfCss } from '../screen-value.ts'
import { authoredValues } from './authored-values.ts'
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

/** The hex of a colour token: a CSS string, or space and components. The problem is the end of a sentence. */
function readColorValue(value: Json): Result<string, string> {
  if (typeof value === 'string') return hexOfCss(value)
  if (!isObject(value)) return failed('has no value that is a colour; left out')
  const space = textMember(value, 'colorSpace')
  const components = value.get('components')
  if (space === undefined || !Array.isArray(components))
    return failed('has neither "colorSpace" with "components" nor a CSS colour string; left out')
  const alpha = value.get('alpha') ?? 1
  const channels = components.map(toChannel)
  const numbers = channels.filter(channel => channel !== undefined)
  if (numbers.length < channels.length || (typeof alpha !== 'number' && alpha !== 'none'))
    return failed(`has a ${quote(space)} component that is not a number; left out`)
  const hex = textMember(value, 'hex')
  return hexOfComponents(space, numbers, alpha, hex !== undefined && HEX.test(hex) ? hex : undefined)
}

const HEX = /^#[0-9a-f]{6}$/i

function toChannel(component: Json): number | 'none' | undefined {
  return typeof component === 'number' || component === 'none' ? component : undefined
}
