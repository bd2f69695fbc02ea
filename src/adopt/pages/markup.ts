import type { Node } from 'mdast'
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

/** The part of a line before an offset, of which very long lines have only the end. */
export function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 1000), at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

/** A text with an indentation, or the marks of a quotation, before its lines after the first. */
export function indented(text: string, indent: string): string {
  const [first, ...others] = text.split('\n')
  return [first, ...others.map(line => (line.trim() === '' ? indent.trimEnd() : `${indent}${line}`))].join('\n')
}

/** The marks of quotations and lists on a line as on the lines below it, where those of lists are blanks. */
export function continued(marks: string): string {
  return marks.replace(/[^>\s]/g, ' ')
}

/** The path of the guide's own colours in a source, until links are resolved. */
export const PALETTE_PATH = '@palette'
export const PALETTE_LINK = paletteLink('')

/** A link to the guide's own colours, or to a group or colour of these, which a page shows if it is alone in a paragraph. */
export function paletteLink(id: string, name = 'Colours'): string {
  return `[${name.replace(/[[\]]/g, '\\$&')}](/@site/${[PALETTE_PATH, id].filter(Boolean).join('#')})`
}

/** The address of a page for templates, by its path in the source: links to it work wherever it is on the site. */
export function templateAddress(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.startsWith('index.') ? `/${path.slice(0, -name.length)}` : `/@site/${path}`
}

/** A path as part of an address in Markdown. */
export function encodePath(path: string): string {
  const encoded = path.toWellFormed().split('/').map(encodeURIComponent).join('/')
  return encoded.replace(/[()]/g, sign => `%${sign.charCodeAt(0).toString(16)}`)
}

export function image(src: string, alt: string, others: Readonly<Record<string, string | undefined>>): string {
  const attributes = Object.entries({ src, alt, ...others }).filter(([, value]) => value !== undefined && value !== '')
  return `<img ${attributes.map(([name, value]) => `${name}="${value?.replaceAll('"', '&quot;')}"`).join(' ')}>`
}

/** The words of a tag of a template engine: `{% name words named="value" %}`. The name of a value is all of it. */
export function readTag(source: string) {
  const inner = source.replace(/^\{[{%:]?[<%]?-?\s*|(?<![\s>%}/-])[\s>%}/-]*$/g, '')
  const [all = '', end, name = ''] = groupsOf(/^(end|\/)?\s*(@?[\w/-]*)/, inner)
  return { inner, name, isEnd: end !== undefined, ...readArguments(inner.slice(all.length)) }
}
