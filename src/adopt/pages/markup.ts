import type { Node } from 'mdast'
import type { Edit } from '#platform/base/text.ts'
import { groupsOf } from '#platform/base/text.ts'

/** The arguments of a tag: `name="value"` or `name: value`, and others in order. */
export function readArguments(text: string): { named: Map<string, string>; words: string[] } {
  const [named, words]: [Map<string, string>, string[]] = [new Map(), []]
  const found = text.matchAll(/(?:([\w-]+)[ \t]*[=:][ \t]*)?(?:(["'])(.*?)\2|([^\s"',={}]+))/gs)
  for (const [, name, , quoted, bare] of found) {
    const value = `${quoted ?? bare}`
    if (name === undefined) words.push(value)
    else named.set(name, value)
  }
  return { named, words }
}

/** The offsets of a node in its text. */
export function spanOf({ position }: Pick<Node, 'position'>): { start: number; end: number } {
  const { start, end } = position ?? { start: {}, end: {} }
  return { start: Number(start.offset), end: Number(end.offset) }
}

/** The path of the guide's own colours in a source, until links are resolved. */
export const PALETTE_PATH = '@palette'
export const PALETTE_LINK = `[Colours](/@site/${PALETTE_PATH})`

/** A path as part of an address in Markdown. */
export function encodePath(path: string): string {
  const encoded = path.toWellFormed().split('/').map(encodeURIComponent).join('/')
  return encoded.replace(/[()]/g, sign => `%${sign.charCodeAt(0).toString(16)}`)
}

export type TextMatch = { index: number; 0: string }

/** The form here of an attribute list: the size of a picture, or the id of a heading. */
export function attributes(match: TextMatch, text: string): Edit[] | undefined {
  return sizedPicture(match, text) ?? headingId(match, text)
}

/** Moves the id of a heading from a list of attributes behind or below it to its end. */
function headingId({ index, 0: source }: TextMatch, text: string): Edit[] | undefined {
  const [, id] = groupsOf(/#([^\s{}]+)/, source)
  const before = text.slice(Math.max(0, index - 1000), index)
  const below = BELOW_HEADING.exec(before)?.[0].length ?? 0
  if (id === undefined || (below === 0 && !IN_HEADING.test(before))) return undefined
  const own = { start: index, end: index + source.length, text: below > 0 ? '' : `{#${id}}` }
  return below > 0 ? [{ start: index - below, end: index - below, text: ` {#${id}}` }, own] : [own]
}

const IN_HEADING = /(?:^|\n) {0,3}#{1,6}[ \t][^\n]*$/
const BELOW_HEADING =
  /(?<=(?:^|\n) {0,3}#{1,6}[ \t][^\n]*)\n[ \t]*$|(?<=(?:^|\n)[^\n]*\S[^\n]*)\n {0,3}(?:=+|-+)[ \t]*\n[ \t]*$/

/** A picture with a size: `![alt|200](a.png)`, `![alt](a.png =200x)` or `![alt](a.png){width=200}`. */
export function sizedPicture({ index, 0: { length } }: TextMatch, text: string): Edit[] | undefined {
  const from = Math.max(0, index - 2000)
  const start = from + text.slice(from, index + 2).lastIndexOf('![')
  PICTURE.lastIndex = start
  const match = start < from ? null : PICTURE.exec(text)
  if (match === null || PICTURE.lastIndex < index) return undefined
  const end = Math.max(PICTURE.lastIndex, index + length)
  const { named } = readArguments(text.slice(PICTURE.lastIndex, end))
  const { alt = '', address = '', title, ...sizes } = match.groups ?? {}
  const width = sizes.a ?? sizes.b ?? named.get('width')
  const height = sizes.c ?? sizes.d ?? named.get('height')
  return width || height ? [{ start, end, text: image(address, alt, { width, height, title }) }] : undefined
}

const PICTURE =
  /!\[(?<alt>[^[\]\n|]*)(?:\|\s*(?<a>\d+)(?:x(?<c>\d+))?)?\]\(<?(?<address>[^()\s<>]+)>?(?:[ \t]+=(?<b>\d+(?!\d)%?)?x?(?<d>\d+%?)?)?(?:[ \t]+"(?<title>[^"\n]*)")?[ \t]*\)/y

export function image(src: string, alt: string, others: Readonly<Record<string, string | undefined>>): string {
  const attributes = Object.entries({ src, alt, ...others }).filter(([, value]) => value !== undefined && value !== '')
  return `<img ${attributes.map(([name, value]) => `${name}="${value?.replaceAll('"', '&quot;')}"`).join(' ')}>`
}
