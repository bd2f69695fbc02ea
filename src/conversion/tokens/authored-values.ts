import { isStyleId, type StyleId } from '../../brand/ids.ts'
import { TOKEN_EXTENSION } from '../../brand/token-extension.ts'
import { isObject, type Json, textMember } from '../json.ts'
import type { Token } from './token-tree.ts'

/** What an export of a guide keeps beside the value of a token: the id, the name, and values by the keys of the guide. */
export type Authored = { id?: StyleId; name?: string; fields: Map<string, Json> }

/** The authored values of a token; undefined if it has none, as written. */
export function authoredValues({ path, extensions }: Token): Authored | undefined {
  const extension = extensions?.get(TOKEN_EXTENSION)
  if (!isObject(extension)) return undefined
  const id = path.at(-1) ?? ''
  const name = textMember(extension, 'name')
  const fields = new Map([...extension].filter(([key]) => key !== 'id' && key !== 'name'))
  return { ...(isStyleId(id) && { id }), ...(name !== undefined && { name }), fields }
}
