import { readBlocks, withoutCode } from '#formats/markdown/page-blocks.ts'
import type { Edit } from '#platform/base/text.ts'
import { groupsOf } from '#platform/base/text.ts'
import { image, readArguments } from './markup.ts'
import type { Note, Pass } from './page.ts'

/** Writes pictures with a size as HTML: `![alt|200](a.png)`, `![alt](a.png =200x)` and `![alt](a.png){width=200}`. */
export const pictureSizes: Pass = text => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  for (const { index, 0: source, groups = {} } of withoutCode(text).matchAll(PICTURE)) {
    const { alt = '', address = '', title, after = '', inside = '', list = '' } = groups
    const [width, height] = (after + inside).split('x')
    const { named } = readArguments(list)
    const sizes = { width: named.get('width') ?? width, height: named.get('height') ?? height }
    const became = image(address, alt, { ...sizes, title })
    if (became === image(address, alt, { title })) continue
    notes.push({ at: index, what: 'size of a picture', became })
    edits.push({ start: index, end: index + source.length, text: became })
  }
  return { edits, notes }
}

const PICTURE =
  /!\[(?<alt>[^[\]\n|]*)(?:\|[ \t]*(?<after>\d+(?:x\d+)?))?\]\(<?(?<address>[^()\s<>]+)>?(?:[ \t]+=(?<inside>[\dx%]+))?(?:[ \t]+"(?<title>[^"\n]*)")?[ \t]*\)(?:\{:?(?<list>[^{}\n]*)\})?/g

/** Moves the id in a list of attributes, such as `{: #space .wide }`, to the end of its heading. Other lists are lost. */
export const attributeLists: Pass = text => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  const headings = readBlocks(text).filter(({ level }) => level > 0)
  for (const { index: start, 0: source } of withoutCode(text).matchAll(LIST)) {
    const heading = headings.findLast(each => each.start < start)
    const isAtHeading = heading !== undefined && AT_HEADING.test(text.slice(heading.start, start))
    const [mark] = isAtHeading ? groupsOf(/#[^\s{}]+/, source) : []
    const list = { start, end: start + source.length, text: '' }
    if (!isAtHeading || mark === undefined) {
      notes.push({ at: start, what: 'attribute list', text: source.trim() })
      edits.push(list)
      continue
    }
    const became = `{${mark}}`
    if (became === source.trim()) continue
    const end = heading.start + heading.text.trimEnd().length
    notes.push({ at: start, what: 'attribute list', became })
    edits.push({ start: end, end, text: ` ${became}` }, list)
  }
  return { edits, notes }
}

/** From the beginning of a heading to a list at its end or on the line below it. */
const AT_HEADING = /^[^\n]*(?:\n {0,3}[=-]+)?\n?[ \t]{0,9}$/

/** `{.class}`, `{#id key="value"}`, and `{width=50%}` after a picture, link, span or code, with the blanks before it. */
const LIST = (() => {
  const [mark, value] = ['[.#][\\p{L}_][^\\s{}]*', '[a-z][\\w-]*=(?:"[^"\n]*"|\'[^\'\n]*\')']
  const any = `(?:${mark}|${value}|[a-z][\\w-]*=[^\\s{}"']+|=[a-z]+|-)`
  const first = `\\{(?<!::.{0,99}\\{):?[ \\t]*(?:${mark}|${value})|(?<=[)\\]\\0]\\n?)\\{:?[ \\t]*${any}`
  return new RegExp(`[ \\t]{0,3}(?:${first})(?:[ \\t]+${any})*[ \\t]*\\}`, 'gu')
})()
