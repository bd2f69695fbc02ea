import { inlineText } from '#formats/markdown/page-blocks.ts'
import { groupsOf } from '#platform/base/text.ts'

type Link = { label: string | undefined; link: string }

/** An entry of a table of contents: a link, or the name of the entries below it. */
type OutlineItem = { label: string | undefined; link?: string; items: OutlineItem[] }

/** Reads the lists of a table of contents, in which headings, and entries that are no links, are groups of those below them. */
export function outlineOf(text: string, linksIn: (line: string) => readonly Link[]): OutlineItem[] {
  const outline: OutlineItem[] = []
  const open = [{ depth: Number.NEGATIVE_INFINITY, items: outline }]
  for (const line of text.split('\n')) {
    const [, marks = '', words = ''] = groupsOf(ENTRY, line)
    const links = linksIn(line)
    const names = links.length > 0 ? links : [{ label: inlineText(words) }].filter(({ label }) => label !== '')
    const items = names.map((name): OutlineItem => ({ ...name, items: [] }))
    const [first] = items
    const isTitle = marks === '#' && outline.length === 0
    if (!first || isTitle) continue
    const depth = marks.startsWith('#') ? marks.length - MAX_LEVEL : marks.replaceAll('\t', '    ').length
    const around = open.findLastIndex(each => each.depth < depth)
    open[around]?.items.push(...items)
    open.splice(around + 1, open.length, { depth, items: first.items })
  }
  return outline
}

/** A heading or an item of a list: its signs or its indentation, and its words. */
const ENTRY = /^(#{1,6}|[ \t]{0,40})(?:(?<=#)|[-*+]|\d{1,3}[.)])[ \t]{1,9}(\S.*)$/
const MAX_LEVEL = 9
