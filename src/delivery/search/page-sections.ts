import { DROPPED_ELEMENTS } from '#brand/markdown/dropped-html.ts'
import { isLoopTitle } from '#brand/markdown/loop-title.ts'
import { unescapeText } from '#formats/markdown/character-reference.ts'
import { headingIds, MAX_HEADING, splitHeading } from '#formats/markdown/heading-ids.ts'
import type { Inline } from '#formats/markdown/inline.ts'
import { type Block, readBlocks, shownText, withoutPicture } from '#formats/markdown/page-blocks.ts'
import { plainText } from '#formats/markdown/plain-text.ts'
import { isTagsAndPictures, templateTags } from '#formats/markdown/template-tags.ts'
import { applyEdits, groupsOf, lineCounter, wordSet } from '#platform/base/text.ts'

/** A part of a page under one heading; before the first, the level is 0. `line` is its first line, from 0. */
export type PageSection = { level: number; heading: string; id: string; text: string; line: number }

/** Splits Markdown at its headings, with the text and ids of `renderMarkdown`. Bars separate cells of tables and items of lists. */
export function pageSections(markdown: string): PageSection[] {
  const idOf = headingIds()
  return splitAtHeadings(markdown).flatMap(({ level, heading, texts, line }) => {
    const text = texts.join(' ').replace(SPACES, ' ').trim()
    if (level === 0) return text === '' ? [] : [{ level, heading, id: '', text, line }]
    // A heading may end in its id: `Colours {#palette}`.
    const { text: wholeHeading, id: writtenId } = splitHeading(heading.replace(SPACES, ' ').trim())
    const name = wholeHeading.slice(0, MAX_HEADING).toWellFormed().trimEnd()
    const searchedText = `${wordsBeyond(wholeHeading)}${text}`.trimEnd()
    return [{ level, heading: name, id: idOf(name, writtenId), text: searchedText, line }]
  })
}

/** White space, except U+FEFF, which does not split words. */
const SPACES = /[^\S\ufeff]+/g

/** The words of a heading beyond its name; they become part of the text, so that searches find them. */
function wordsBeyond(heading: string): string {
  if (heading.length <= MAX_HEADING) return ''
  return `${heading.slice(heading.lastIndexOf(' ', MAX_HEADING) + 1)} `
}

/** A section with its strings not yet joined. */
type Part = { level: number; heading: string; texts: string[]; line: number }

/** The content under each heading. The first part, before all headings, has the level 0. */
function splitAtHeadings(markdown: string): Part[] {
  const lineAt = lineCounter(markdown)
  let line = 0
  let isInTable = false
  let part: Part = { level: 0, heading: '', texts: [], line: 0 }
  const parts = [part]
  const begin = (level: number, heading: string) => {
    part = { level, heading, texts: [], line }
    parts.push(part)
  }
  for (const block of readBlocks(markdown)) {
    line = lineAt(block.start) - 1
    // A cell beyond the columns of its table, which pages do not show.
    if (block.isBeyond) continue
    // A bar ends a table, and is before each item of a list.
    if ((isInTable && block.kind !== 'cell') || block.isApart) part.texts.push('|')
    isInTable = block.kind === 'cell'
    if (block.level > 0) {
      begin(block.level, shownText(block, withoutPicture))
      part.texts.push(...pictureTexts(block))
    } else if (block.kind !== 'html') part.texts.push(searchedText(block))
    else
      for (const { level, text } of htmlParts(block.text)) {
        if (level > 0) begin(level, text)
        else part.texts.push(text)
      }
  }
  if (isInTable) part.texts.push('|')
  return parts
}

/** The alt texts and captions of the pictures in a heading, which are not part of its name. */
function pictureTexts({ text, inlines }: Block): string[] {
  return inlines.flatMap(inline => {
    if (inline.kind === 'picture') return [plainText(text, inline.text, inlines), ...titleOf(text, inline)]
    return inline.kind === 'html' ? shownTag(text.slice(inline.start, inline.end)) : []
  })
}

/** The text of a block that searches find: what pages show of it, and titles of pictures. */
function searchedText(block: Block): string {
  const { kind, text } = block
  if (kind === 'footnote-label' || kind === 'open-fence') return ''
  if (kind === 'fenced-code' || (kind === 'indented-code' && !isTagsAndPictures(text))) return text
  // Undefined leaves an inline as pages show it.
  const shown = shownText(block, ({ kind, start, end }) =>
    kind === 'html' ? shownTag(text.slice(start, end)) : undefined,
  )
  const titles = block.inlines.flatMap(inline => titleOf(text, inline))
  const [alert = ''] = groupsOf(ALERT, text)
  return [kind === 'cell' ? '|' : '', shown.slice(alert.trim().length), ...titles].join(' ')
}

/** The first line of a quote that is a note, which pages show as a heading in their language. */
const ALERT = /^\s*\[!(?:note|tip|important|warning|caution)\][ \t]*(?=\n|$)/i

/** The text shown instead of an HTML tag: an alt text, or a space if it separates words. */
function shownTag(tag: string): string {
  const [, double, single, bare] = groupsOf(ALT, tag)
  const alt = double ?? single ?? bare
  if (alt !== undefined) return ` ${unescapeText(alt, 'html')} `
  const [, name = ''] = groupsOf(/^<\/?([a-z\d-]+)/i, tag)
  return INLINE.has(name.toLowerCase()) ? '' : ' '
}

/** As in `<img src="logo.svg" alt="The logo">`: the alt text with double quotes, single quotes or none. */
const ALT = /^<img\s[^<>]{0,2000}?\balt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

/** The title of a picture, which pages show as a caption. */
function titleOf(text: string, inline: Inline): string[] {
  if (inline.kind !== 'picture' || !inline.destination) return []
  // ` "Title")` of `![alt](address "Title")`; the address may end in an angle bracket.
  const [, title] = groupsOf(/^>?\s+["'(](.*)["')]\s*\)$/s, text.slice(inline.destination.end, inline.end))
  return title === undefined || isLoopTitle(title) ? [] : [`(${unescapeText(title, 'markdown')})`]
}

/** The text of HTML, and its headings, which have a level above 0. */
function htmlParts(html: string): { level: number; text: string }[] {
  // A split by a pattern with two groups: after the first text come, for each tag, its slash, its level and the text
  // after it. A heading is the text between an opening tag and a closing tag of the same level.
  const [first = '', ...pieces] = html.replace(HIDDEN, ' ').split(HEADING_TAG)
  const parts = [{ level: 0, text: htmlText(first) }]
  for (let at = 2; at < pieces.length; at += 3) {
    const [slash, level, text = '', nextSlash, nextLevel] = pieces.slice(at - 2, at + 3)
    const isHeading = slash === '' && nextSlash === '/' && level === nextLevel
    if (isHeading) parts.push({ level: Number(level), text: htmlText(text.replace(PICTURE, '')) })
    else parts.push({ level: 0, text: htmlText(text) })
  }
  return parts
}

const PICTURE = /<img\s[^<>]{0,2000}>/gi
/** Comments, and elements such as `<script>` with their content. */
const HIDDEN = new RegExp(
  `<!--[\\s\\S]*?(?:-->|$)|<(${[...DROPPED_ELEMENTS].join('|')})(?=[\\s>])[\\s\\S]*?(?:</\\1\\s*>|$)`,
  'gi',
)
/** `<h2 id="a">` or `</h2>`: the slash, and the level. */
const HEADING_TAG = /<(\/?)h([1-6])(?:\s[^<>]{0,1000})?>/i

/** The text that a piece of HTML shows, without tags of template systems. */
function htmlText(html: string): string {
  const tags = templateTags(html).map(tag => ({ ...tag, text: '' }))
  return unescapeText(applyEdits(html, tags).replace(TAG, shownTag), 'html')
}

const TAG = /<\/?[a-z][^<>]{0,2000}>/gi
/** Elements that do not separate words. */
const INLINE = wordSet(`
  a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup u var wbr`)
