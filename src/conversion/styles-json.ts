import { ok, type Result } from '../base/result.ts'
import type { FoundStyle, FoundStyles } from './found-styles.ts'
import { isObject, type Json, type JsonObject, textMember } from './json.ts'
import { addNote, type Notes } from './notes.ts'

/** Whether an object has lists of colours or type styles, as in exports and replies of housestyle. */
export function isStylesJson(root: JsonObject): boolean {
  return ['colors', 'types'].some(key => Array.isArray(root.get(key)))
}

/** Reads the colours and type styles of such an object, and ignores everything else. */
export function readStylesJson(root: JsonObject, notes: Notes): Result<FoundStyles, string> {
  return ok({ colors: listOf(root.get('colors'), notes), types: listOf(root.get('types'), notes), notes })
}

function listOf(list: Json | undefined, notes: Notes): FoundStyle[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item, at) => {
    const [id, name] = [textMember(item, 'id'), textMember(item, 'name')]
    if (!isObject(item) || name === undefined) {
      addNote(notes, `entry ${at + 1}`, 'is not a style with a name; left out')
      return []
    }
    const fields = new Map([...item].filter(([key]) => key !== 'id' && key !== 'name'))
    return [{ ...(id !== undefined && { id }), name, fields }]
  })
}
