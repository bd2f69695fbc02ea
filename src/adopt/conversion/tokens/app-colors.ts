import { basename, dirname } from 'node:path/posix'
import { addNote, type Notes } from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import { type Json, type JsonObject, jsonText, objectIn, textIn, textMember } from '#formats/json/json.ts'
import { readAndroidColors } from '#formats/palette/android-colors.ts'
import { readColorSet } from '#formats/palette/color-set.ts'
import type { FlatXml, XmlItem } from '#formats/xml/flat-xml.ts'
import { listIn } from '#platform/base/object.ts'
import { uniqueNames } from '../../report/report.ts'
import { noteOthers } from './brand-files.ts'
import { nameInKey } from './token-names.ts'

/** The token of a colour set of Xcode, in the groups of its catalogue. Notes its other values; undefined for other data. */
export function colorSetToken(root: JsonObject, notes: Notes, path: string): JsonObject | undefined {
  const colors = readColorSet(root)
  if (colors === undefined) return undefined
  // Brand.xcassets/Sea.colorset/Contents.json
  const [, inside = ''] = dirname(dirname(path)).split('.xcassets/')
  const groups = inside.split('/').filter(Boolean)
  const folder = basename(dirname(path))
  const name = folder === '.' ? 'colour' : basename(folder, '.colorset')
  const [usual, ...others] = colors
  for (const { value, uses } of others)
    addNote(notes, { name: [...groups, name].join('.'), value }, 'otherScheme', uses.join(', ') || 'any appearance')
  const tokens: [string, Json][] = usual ? [[name, colorToken(usual.value)]] : []
  return groups.reduceRight<JsonObject>((inner, group) => new Map([[group, inner]]), new Map(tokens))
}

/** The tokens of Android's resources; undefined for other XML. */
export function androidTokens(xml: FlatXml, notes: Notes, path: string): JsonObject | undefined {
  const resources = readAndroidColors(xml)
  if (resources === undefined) return undefined
  noteItems(resources.others, notes)
  const tokens = resources.colors.map(([name, value]) => [name, colorToken(value, nameInKey(name))] as const)
  const [, context] = basename(dirname(path)).split('values-')
  return inContext(tokens, context, notes)
}

/** Tokens for any context or for a scheme. Those for another context, such as some devices, are only noted. */
function inContext(
  tokens: readonly (readonly [string, JsonObject])[],
  context: string | undefined,
  notes: Notes,
): JsonObject {
  if (context === undefined || isOtherScheme(context)) return new Map(tokens)
  for (const [name, token] of tokens) addNote(notes, { name, value: textIn(token, '$value') }, 'otherScheme', context)
  return new Map()
}

/** Notes the elements of XML that are not colours. */
export function noteItems(items: readonly XmlItem[], notes: Notes): void {
  for (const { name, attributes, text } of items)
    addNote(notes, { name: [name, ...Object.values(attributes)].join(' '), value: text.trim() }, 'unread')
}

/** The tokens of the palette in a `theme.json` of WordPress, or in a variation of it; undefined for other data. */
export function wordPressTokens(root: JsonObject, notes: Notes, path: string): JsonObject | undefined {
  const settings = objectIn(root, 'settings')
  const color = objectIn(settings, 'color')
  const palette = listIn(color.get('palette'))
  if (!palette.some(entry => textMember(entry, 'color'))) return undefined
  noteOthers(root, ['$schema', 'version', 'settings'], notes)
  noteOthers(settings, ['color'], notes)
  noteOthers(color, ['palette'], notes)
  const uniqueKey = uniqueNames()
  const tokens = palette.map(entry => {
    const [slug = '', name = slug, value = jsonText(entry)] = KEYS.map(key => textMember(entry, key))
    return [uniqueKey(name), colorToken(value, name)] as const
  })
  const isVariation = basename(dirname(path)) === 'styles'
  return inContext(tokens, isVariation ? basename(path, '.json') : undefined, notes)
}

/** The keys of an entry of a palette. */
const KEYS = ['slug', 'name', 'color']

function colorToken($value: string, name = ''): JsonObject {
  return new Map(Object.entries({ $type: 'color', $value, name }))
}
