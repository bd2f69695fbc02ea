import type { Problem } from '../../brand/finding.ts'
import { DROPPED_ELEMENTS } from '../../brand/markdown/dropped-html.ts'
import type { ReadBlock } from '../../brand/markdown/visible-text.ts'
import { problem } from '../folder/findings.ts'

/** Reports HTML elements that the website omits with their content: the first on each line. */
export function droppedHtmlProblems(text: string, blocks: readonly ReadBlock[]): Problem[] {
  if (!DROPPED.test(text)) return []
  const problems = new Map<number, Problem>()
  let line = 1
  let at = 0
  for (const { start, name } of blocks.flatMap(droppedIn)) {
    for (; at < start; at++) if (text[at] === '\n') line++
    const message = `the website omits <${name}> and its content: ${FIXES[name] ?? 'write it in Markdown, or remove it'}`
    if (!problems.has(line)) problems.set(line, problem('html-dropped', message, line))
  }
  return [...problems.values()]
}

const NAMES = DROPPED_ELEMENTS.join('|')
const DROPPED = new RegExp(`<(?:${NAMES})[\\s/>]`, 'i')

const LINK = 'link to it in a separate paragraph'
const FIXES: Readonly<Record<string, string>> = {
  iframe: LINK,
  embed: LINK,
  object: LINK,
  frame: LINK,
  svg: 'save it as an .svg file, and include that as a picture',
  style: 'remove it; "theme" in project.yaml sets how pages look',
  script: 'remove it; pages cannot run scripts',
}

function droppedIn({ kind, start, text, inlines }: ReadBlock): { start: number; name: string }[] {
  if (kind === 'html') return droppedTags(text, start)
  const tags = inlines.filter(inline => inline.kind === 'html')
  const dropped = tags.map(inline => droppedTags(text.slice(inline.start, inline.end), start + inline.start))
  return dropped.flat()
}

/**
 * Finds the tags of dropped elements. Skips the content of such elements and of comments. Searches only once for a
 * missing end tag, so that it takes linear time.
 */
function droppedTags(html: string, offset: number): { start: number; name: string }[] {
  const dropped: { start: number; name: string }[] = []
  const missing = new Set<string>()
  const lower = html.toLowerCase()
  const opening = new RegExp(`<(?:!--|(${NAMES})(?=[\\s/>]))`, 'g')
  for (let tag = opening.exec(lower); tag !== null; tag = opening.exec(lower)) {
    const name = tag[1]
    if (name !== undefined) dropped.push({ start: offset + tag.index, name })
    const closing = name === undefined ? '-->' : `</${name}`
    const end = missing.has(closing) ? -1 : lower.indexOf(closing, opening.lastIndex)
    if (end === -1) missing.add(closing)
    else opening.lastIndex = end + closing.length
  }
  return dropped
}
