import { withoutUndefined } from '../../base/object.ts'
import { isStyleId, type StyleId } from '../../brand/ids.ts'
import { TOKEN_EXTENSION } from '../../brand/token-extension.ts'
import type { FoundStyle } from '../found-styles.ts'
import { isObject, type Json, type JsonObject, member, textMember } from '../json.ts'
import type { Token } from './token-tree.ts'

/** The data that an export of a guide adds to a token: the id, the name, and values under the guide's own keys. */
export type Authored = { id?: StyleId; name?: string; fields: Map<string, Json> }

/** The authored values of a token; undefined if it has none. */
export function authoredValues({ path, extensions }: Token): Authored | undefined {
  const extension = extensions?.get(TOKEN_EXTENSION)
  return isObject(extension) ? authoredOf(path.at(-1) ?? '', extension) : undefined
}

/** The type styles of an export without a token, since none of their values fits into one. */
export function stylesWithoutToken(root: JsonObject): FoundStyle[] {
  const types = member(member(member(root, '$extensions'), TOKEN_EXTENSION), 'types')
  return [...(isObject(types) ? types : [])].flatMap(([key, extension]) => {
    const { id, name, fields } = isObject(extension) ? authoredOf(key, extension) : NOTHING
    return id !== undefined && name !== undefined ? [{ id, name, fields }] : []
  })
}

function authoredOf(id: string, extension: JsonObject): Authored {
  const name = textMember(extension, 'name')
  const fields = new Map([...extension].filter(([key]) => key !== 'id' && key !== 'name'))
  return withoutUndefined({ id: isStyleId(id) ? id : undefined, name, fields })
}

const NOTHING: Authored = { fields: new Map() }
