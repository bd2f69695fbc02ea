import { slug } from '#brand/ids.ts'
import type { FoundStyle, FoundStyles, TokenPlace } from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { anyOf, groupsOf, wordsIn } from '#platform/base/text.ts'
import type { Reason } from './report/report.ts'

/** A file with the styles of the usual scheme, or with those of another one; it `isJoined` if all of these are taken. */
type Schemes = {
  styles: FoundStyles
  others?: FoundStyles
  isJoined?: boolean
  reason?: Reason | undefined
  shown: string
}

/**
 * Gives colours their values on dark grounds, which readers have noted, or which have separate groups or files.
 * Values without a colour, and further ones of a colour, stay where they are.
 */
export function joinSchemes(files: readonly Schemes[]): void {
  const all = files.flatMap(({ styles }) => styles.colors)
  const usual = new Set(all.filter(({ token }) => !token || isOfUsualScheme(token)))
  const colorsAt = colorFinder(usual)
  /** The colours with a value for dark, which may be the same. */
  const joined = new Set<Fields>()
  const join = (keys: readonly string[], value: string) => {
    const [, name = ''] = groupsOf(REFERENCE, value)
    const [named] = colorsAt([schemeKey(name)])
    const read = readCssColor(`${named?.get('hex') ?? value}`)
    const colors = colorsAt(keys)
    if (read?.alpha !== 1 || colors.length === 0) return false
    const dark = read.hex
    if (colors.some(fields => (fields.get('dark') ?? dark) !== dark)) return false
    for (const fields of colors) {
      joined.add(fields)
      if (fields.get('hex') !== dark) fields.set('dark', dark)
    }
    return true
  }
  for (const file of files) joinFile(file, usual, join)
  while (followAliases(usual, colorsAt, joined)) {} // Each call gives at least one colour its value.
}

type Fields = FoundStyle['fields']
type Join = (keys: readonly string[], value: string) => boolean

/** Finds the colours with the first of some names, unless they differ. */
function colorFinder(usual: Iterable<FoundStyle>): (keys: readonly string[]) => Fields[] {
  const places = Map.groupBy(
    [...usual].flatMap(color => Array.from(new Set(keysOf(color)), key => ({ key, color }))),
    ({ key }) => key,
  )
  places.delete('') // Names without letters and digits are not one.
  return keys => {
    const [first = ''] = keys.filter(key => places.has(key))
    const found = places.get(first) ?? []
    const colors = found.map(({ color }) => color.fields).filter(fields => fields.has('hex'))
    return new Set(colors.map(fields => fields.get('hex'))).size === 1 ? colors : []
  }
}

/** Takes the values for dark of a file, which may be one for dark as a whole. */
function joinFile(file: Schemes, usual: ReadonlySet<FoundStyle>, join: Join): void {
  const { styles, others, shown } = file
  const isJoined = (color: FoundStyle) => join(keysOf(color), `${color.fields.get('hex')}`)
  if (others && isDark(shown)) {
    others.colors = others.colors.filter(color => !isJoined(color))
    if (others.colors.length + others.types.length === 0)
      Object.assign(file, { styles: others, others: undefined, isJoined: true, reason: undefined })
  }
  styles.colors = styles.colors.filter(color => usual.has(color) || !isJoined(color))
  joinNotes(styles, join)
}

/** Gives colours that only name another one its value for dark, unless they have their own; whether there was any. */
function followAliases(
  usual: Iterable<FoundStyle>,
  colorsAt: (keys: readonly string[]) => Fields[],
  joined: Set<Fields>,
): boolean {
  const before = joined.size
  for (const { token, fields } of usual) {
    if (joined.has(fields) || fields.has('dark')) continue
    const named = colorsAt([schemeKey(token?.alias ?? '')]).filter(named => named.get('hex') === fields.get('hex'))
    for (const dark of named.flatMap(named => named.get('dark') ?? []).slice(0, 1)) {
      fields.set('dark', dark)
      joined.add(fields)
    }
  }
  return joined.size > before
}

/** Takes out the notes whose values `join` takes. */
function joinNotes({ notes }: FoundStyles, join: Join): void {
  for (const [key, note] of notes) {
    if (note.kind !== 'otherScheme' || !isDark(note.detail)) continue
    const left = note.subjects.filter(({ name, value = '' }) => !join(placesIn(name).map(schemeKey), value))
    note.count -= note.subjects.length - left.length
    note.subjects = left
    if (note.count === 0) notes.delete(key)
  }
}

/** The name of a token or variable that a value refers to. */
const REFERENCE = /^\s*(?:var\(\s*--|\{)([^(){},]{1,200})[)}]\s*$/

function isDark(text: string): boolean {
  return isOtherScheme(text) && !/contrast|(?<![a-z])hc(?![a-z])/i.test(text)
}

/** The names under which other schemes may have a colour, the longest first. */
function keysOf({ name, token }: FoundStyle): string[] {
  return [...(token ? [tokenPlace(token), token.path] : []), name].map(schemeKey)
}

/** A whole name, and its last part, which is the name of a colour in a list. */
function placesIn(name: string): string[] {
  return [name, name.slice(name.lastIndexOf('.') + 1)]
}

function schemeKey(name: string): string {
  return slug(withoutScheme(name.slice(0, MAX_PLACE)))
}

/** Whether no set or group around a token is for dark; `gray.dark` is a shade. */
export function isOfUsualScheme(token: TokenPlace): boolean {
  return !isOtherScheme(tokenPlace(token).replace(/\.?[^.]*$/, ''))
}

/** The place of a token, which is the same in each scheme. */
export function withoutScheme(place: string): string {
  return place.replace(SCHEME, '')
}

const SCHEME_NAME = anyOf(wordsIn('dark, night, light, day, default'))
const SCHEME = new RegExp(String.raw`(?<![a-z])${SCHEME_NAME}(?![a-z])(?=.{0,1000}\.)`, 'gi')

export function tokenPlace(token: TokenPlace | undefined): string {
  return [token?.set, token?.path].filter(Boolean).join('.').slice(0, MAX_PLACE)
}

/** The patterns that read it take long for a long one. */
const MAX_PLACE = 500
