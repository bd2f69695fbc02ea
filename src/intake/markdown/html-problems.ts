import type { Problem } from '#brand/finding.ts'
import { DROPPED_ELEMENTS, PLAIN_ELEMENTS, SAFE_ELEMENTS } from '#brand/markdown/dropped-html.ts'
import { endFinder } from '#formats/markdown/inline.ts'
import type { Block } from '#formats/markdown/page-blocks.ts'
import { quote, wordSet } from '#platform/base/text.ts'
import { type Attribute, type HtmlTag, readHtmlTags } from './html-links.ts'
import { type Found, firstOnLines } from './problems-at.ts'

/**
 * Reports HTML that the website leaves out: elements with their content, unknown tags, and attributes with text for
 * readers; and Markdown that stays as written because it is inside an HTML block. The first of each line.
 *
 * @param shown gives the text of the page, as `shownPage` does
 * @param html the HTML of the page at its offsets, with NUL characters between its pieces
 */
export function htmlProblems(text: string, blocks: readonly Block[], html: string, shown: () => string): Problem[] {
  if (html === '') return []
  const markdown = blocks.flatMap(({ kind, start, text: blockText }) => {
    return kind === 'html' && !isOpenComment(blockText) ? markdownIn(text, start, blockText.length, shown()) : []
  })
  return [...firstOnLines(text, 'html-dropped', leftOut(html)), ...firstOnLines(text, 'html-markdown', markdown)]
}

/** HTML that the website leaves out: elements with their content, marks, unknown tags, and texts in attributes. */
function leftOut(html: string): Found[] {
  const endOf = endFinder(html)
  /** The end of the last element that is left out with its content. */
  let droppedEnd = 0
  return readHtmlTags(html).flatMap(tag => {
    const { name, start } = tag
    if (start < droppedEnd) return []
    if (name.startsWith('<')) return leftOutMark(html.slice(start, tag.end), start)
    if (!DROPPED.has(name)) {
      const lostNames = LOST_NAMES.get(name)
      // Readers may miss any attribute of an unknown tag.
      if (lostNames === undefined) return [...unknownTag(tag, html), ...lostTexts(tag, () => true)]
      return lostTexts(tag, key => lostNames.has(key))
    }
    droppedEnd = Math.max(droppedEnd, endOf(new RegExp(`(?=</${name})`, 'gi'), tag.end) ?? 0)
    const fix = FIXES[name] ?? 'write it in Markdown, or remove it'
    return [{ at: start, message: `the website omits <${name}> and its content: ${fix}` }]
  })
}

/** Elements that the website leaves out with their content. */
const DROPPED = new Set(DROPPED_ELEMENTS)

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

/** A comment without its end hides the rest of a page; marks of XML, PHP and such hide their content. */
function leftOutMark(mark: string, at: number): Found[] {
  if (isOpenComment(mark)) return [{ at, message: OPEN_COMMENT }]
  if (/^<!(?:--|doctype\b)/i.test(mark) || !LETTER.test(mark)) return []
  return [{ at, message: `the website omits ${quote(mark)}: write its text in Markdown, or \\< to show it` }]
}

function isOpenComment(html: string): boolean {
  return html.startsWith('<!--') && !html.includes('-->')
}

const OPEN_COMMENT =
  'the comment that begins here is not closed, so the text after it is not shown: write --> at its end'

/** An unknown tag with the texts of its attributes; those on later lines also have their own findings (`lostTexts`). */
function unknownTag(tag: HtmlTag, html: string): Found[] {
  // The tag ends before its `>`, which follows after a few blanks at most, or not at all.
  const toClose = html.slice(tag.end, tag.end + 9).indexOf('>') + 1
  const source = html.slice(tag.start, tag.end + toClose)
  const texts = textsOf(tag, () => true).map(({ text }) => quote(text))
  const lost = texts.length === 0 ? '' : ` with its text ${texts.join(', ')}`
  const message = `the website omits the tag ${quote(source)}${lost}, because it is not HTML: write the text in Markdown, or \\< to show the tag`
  return [{ at: tag.start, message }]
}

function lostTexts(tag: HtmlTag, isText: (name: string) => boolean): Found[] {
  return textsOf(tag, isText).map(({ value, text }) => {
    const message = `the website omits ${quote(text)}, which is an attribute of <${tag.name}>: write it as text`
    return { at: value.start, message }
  })
}

/** The names of attributes whose value is always text for readers. */
const TEXT_NAMES =
  wordSet(`summary placeholder description caption heading text content data-tooltip data-tip data-title
    data-caption data-description data-note data-text aria-description`)
/** The names of attributes that the website leaves out and whose value is text, by element. Readers see most titles. */
const LOST_NAMES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  // Their tags are left out, but not their content.
  ...PLAIN_ELEMENTS.map(name => [name, new Set([...TEXT_NAMES, 'title'])] as const),
  ...SAFE_ELEMENTS.map(name => [name, TEXT_NAMES] as const),
])

const LETTER = /\p{L}/u
const TWO_WORDS = /\p{L}[^\s\p{L}]*\s+[^\s\p{L}]*\p{L}/u
/** The form of a text for readers by the name of its attribute; for other names, `TWO_WORDS`. */
const TEXT_FORMS = new Map([...TEXT_NAMES, 'title', 'label', 'alt', 'name'].map(name => [name, LETTER]))
/** The names of attributes whose value is not for readers, even if it has several words. */
const OTHER_NAMES = wordSet('class classname style src srcset sizes href id key rel type media allow')

/** The attributes that `isText` allows with at least two words, or with one if their name is that of a text. */
function textsOf({ attributes }: HtmlTag, isText: (name: string) => boolean): Attribute[] {
  const texts = [...attributes].filter(([name, { text }]) => {
    const isForReaders = !OTHER_NAMES.has(name) && !name.startsWith('on')
    return isForReaders && isText(name) && (TEXT_FORMS.get(name) ?? TWO_WORDS).test(text)
  })
  return texts.map(([, attribute]) => attribute)
}

/** Markdown in the text of an HTML block, and the HTML for it. */
const MARKDOWN: readonly (readonly [pattern: RegExp, fix: string])[] = [
  [/([*_])\1(?=\S)[^*_\n]{1,300}\1\1/g, '<strong>…</strong>'],
  [/(?<![\p{L}\p{N}*_])([*_])(?=[\p{L}\p{N}])[^*_\n]{1,300}\1(?![\p{L}\p{N}*_])/gu, '<em>…</em>'],
  [/~~(?=\S)[^~\n]{1,300}~~/g, '<del>…</del>'],
  [/(?<!!)\[[^[\]\n]{1,300}\]\([^()\s]+[^()\n]{0,300}\)/g, '<a href="…">…</a>'],
  [/(?<![!\p{L}\p{N}\]])\[[^[\]\n]{1,300}\]\[(?=[^[\]\n]*\p{L})[^[\]\n]{1,100}\]/gu, '<a href="…">…</a>'],
  [/!\[[^[\]\n]{0,300}\]\([^()\s]+[^()\n]{0,300}\)/g, '<img src="…" alt="…">'],
  [/`[^`\n]{1,300}`/g, '<code>…</code>'],
  [/^[ \t]*#{1,6}[ \t]+\S.*$/gm, '<h2>…</h2>'],
  [/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S.*$/gm, '<ul><li>…</li></ul>'],
  [/^[ \t]*>[ \t]+\S.*$/gm, '<blockquote>…</blockquote>'],
  [/^[ \t]*([`~])\1\1.*$/gm, '<pre>…</pre>'],
  [/^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/gm, '<table>…</table>'],
]

/** Markdown in an HTML block. The patterns match the shown text, which has the same offsets as the page. */
function markdownIn(text: string, start: number, length: number, shown: string): Found[] {
  return MARKDOWN.flatMap(([pattern, fix]) =>
    Array.from(shown.slice(start, start + length).matchAll(pattern), ({ 0: { length }, index }) => {
      const source = text.slice(start + index, start + index + length)
      const message = `${quote(source.trim())} is shown as written, because HTML around it is not Markdown: leave a blank line after the tag above it and before the tag below it, or write ${fix}`
      return { at: start + index, message }
    }),
  )
}
