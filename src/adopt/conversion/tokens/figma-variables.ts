import { addNote, type Notes } from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import {
  isObject,
  type Json,
  type JsonObject,
  jsonText,
  member,
  objectIn,
  textIn,
  textMember,
} from '#formats/json/json.ts'
import { listIn, withoutUndefined } from '#platform/base/object.ts'

/**
 * Figma's variables, as its REST API gives them, as tokens in a group for each collection. The default mode counts, and
 * each value of another mode is noted. Undefined for any other object.
 */
export function figmaVariables(root: JsonObject, notes: Notes): JsonObject | undefined {
  const [variables, collections] = [
    objectIn(root.get('meta'), 'variables'),
    objectIn(root.get('meta'), 'variableCollections'),
  ]
  if (variables.size * collections.size === 0) return undefined
  const tokens: Group = new Map()
  const collectionOf = (variable: Json | undefined) => collections.get(textIn(variable, 'variableCollectionId'))
  const pathOf = (variable: Json | undefined) => {
    const names = [textIn(collectionOf(variable), 'name'), ...textIn(variable, 'name').split('/')]
    return names.map(each => each.trim().replace(/^\$|[{}]/g, '')).filter(Boolean)
  }
  for (const variable of variables.values()) {
    const [collection, path] = [collectionOf(variable), pathOf(variable)]
    const modes = new Map(listIn(member(collection, 'modes')).map(mode => [textIn(mode, 'modeId'), mode]))
    const $type = TYPES[textIn(variable, 'resolvedType')]
    const $description = textIn(variable, 'description')
    for (const [mode, value] of objectIn(variable, 'valuesByMode')) {
      const target = textIn(value, 'id')
      const $value = target === '' ? valueText(value) : `{${pathOf(variables.get(target)).join('.') || target}}`
      const scheme = textMember(modes.get(mode), 'name') ?? mode
      const kind = isOtherScheme(scheme) ? 'otherScheme' : 'otherMode'
      if (mode === textIn(collection, 'defaultModeId'))
        place(tokens, path, new Map(Object.entries(withoutUndefined({ $type, $value, $description }))))
      else addNote(notes, { name: path.join('.'), value: jsonText($value) }, kind, scheme)
    }
  }
  return tokens
}

const TYPES: Readonly<Record<string, string>> = {
  COLOR: 'color',
  FLOAT: 'number',
  STRING: 'string',
  BOOLEAN: 'boolean',
}

type Group = Map<string, Json>

/** A colour as CSS: its channels are from 0 to 1. */
function valueText(value: Json): Json {
  if (!isObject(value)) return value
  const [alpha, ...channels] = [...'argb'].map(key => Number(value.get(key) ?? 1))
  return `rgb(${channels.map(channel => Math.round(channel * 255)).join(' ')} / ${alpha})`
}

/** Since a variable may have the name of a group, each is the `$root` of one. */
function place(group: Group, [name = '', ...rest]: readonly string[], token: JsonObject): void {
  const inner: Group = new Map(objectIn(group, name))
  if (rest.length > 0) place(inner, rest, token)
  else inner.set('$root', token)
  group.set(name, inner)
}
