import { addNote, type Notes } from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import { isObject, type Json, type JsonObject, jsonText, member, objectMember, textMember } from '#formats/json/json.ts'
import { listIn, withoutUndefined } from '#platform/base/object.ts'

/**
 * Figma's variables, as its REST API gives them, as tokens in a group for each collection. The default mode counts, and
 * each value of another mode is noted. Undefined for any other object.
 */
export function figmaVariables(root: JsonObject, notes: Notes): JsonObject | undefined {
  const [variables, collections] = ['variables', 'variableCollections'].map(key => objectMember(root.get('meta'), key))
  if (!variables || !collections) return undefined
  const tokens: Group = new Map()
  const collectionOf = (variable: Json | undefined) =>
    collections.get(textMember(variable, 'variableCollectionId') ?? '')
  const pathOf = (variable: Json | undefined) => {
    const [collection = '', name = ''] = [collectionOf(variable), variable].map(each => textMember(each, 'name'))
    const names = [collection, ...name.split('/')].map(each => each.trim().replace(/^\$|[{}]/g, ''))
    return names.filter(Boolean)
  }
  for (const variable of variables.values()) {
    const [collection, path] = [collectionOf(variable), pathOf(variable)]
    const modes = new Map(listIn(member(collection, 'modes')).map(mode => [textMember(mode, 'modeId'), mode]))
    const $type = TYPES[textMember(variable, 'resolvedType') ?? '']
    const $description = textMember(variable, 'description') ?? ''
    for (const [mode, value] of objectMember(variable, 'valuesByMode') ?? []) {
      const target = textMember(value, 'id')
      const $value = target === undefined ? valueText(value) : `{${pathOf(variables.get(target)).join('.') || target}}`
      const scheme = textMember(modes.get(mode), 'name') ?? mode
      const kind = isOtherScheme(scheme) ? 'otherScheme' : 'otherMode'
      if (mode === textMember(collection, 'defaultModeId'))
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

/** A variable may have the name of a group: it becomes the `$root` of the group. */
function place(group: Group, [name = '', ...rest]: readonly string[], token: JsonObject): void {
  const before = group.get(name)
  const inner: Group = new Map(isObject(before) ? (before.has('$value') ? [['$root', before]] : before) : [])
  if (rest.length > 0) place(inner, rest, token)
  group.set(name, rest.length > 0 ? inner : before === undefined ? token : inner.set('$root', token))
}
