import { MAX_DEPTH } from '#formats/markdown/block-parser.ts'
import { unescapeText } from '#formats/markdown/character-reference.ts'
import { type Block, readBlocks, visibleText } from '#formats/markdown/page-blocks.ts'
import { mayHaveTags, templateTags } from '#formats/markdown/template-tags.ts'
import { blanks, groupsOf } from '#platform/base/text.ts'
import { partOf, type SourceText } from '../source.ts'
import type { Use } from '../use.ts'
import { INLINE_TAGS, isWorded, joinPieces, type Piece, REFERENCE, splitPieces, wordsOf } from './words.ts'

/** Reads the words of Markdown, and of the `title` and `description` in its front matter. */
export function* readMarkdown(source: SourceText): Generator<Use> {
  // The parser only knows `\n` as a line end. The text keeps its length, so that offsets stay those of the file.
  const text = source.text
    .replace(/^\ufeff/, ' ')
    .replaceAll('\r\n', ' \n')
    .replaceAll('\r', '\n')
  if (TOO_DEEP.test(text))
    return yield { kind: 'unreadable', message: 'has too many quotes and lists inside each other: simplify them' }
  // Front matter: lines between `---` and `---` or `...` at the start.
  const [front = ''] = groupsOf(/^ ?---[ \t]*\n(?:.*?\n)?(?:---|\.\.\.)[ \t]*(?![^\n])/s, text)
  const lang = groupsOf(/^lang(?:uage)?:[ \t]*["']?([\w-]+)/m, front)[1]
  // A field, with the indented lines that continue it; its words are after the colon.
  for (const { 0: field, index } of front.matchAll(/^(?:title|description):.*(?:\n[ \t]+.*)*/gm))
    yield* wordsOf(partOf(source, index + field.indexOf(':') + 1, index + field.length), lang)
  // The front matter is blanked, and not cut off, for the same reason.
  for (const block of readBlocks(blanks(front) + text.slice(front.length)))
    for (const pieces of [piecesOf(block), ...attributesOf(block)])
      yield* wordsOf(joinPieces(partOf(source, block.start, block.start + block.text.length), pieces), lang)
}

/** Text in more quotes and lists than the parser reads. Only signs, as in `- - -`, are a line. */
const TOO_DEEP = new RegExp(`^[ \\t]*(?:(?:>|[*+-][ \\t]|\\d{1,9}[.)][ \\t])[ \\t]*){${MAX_DEPTH},}[^\\s>*+-]`, 'm')

/** The text of a block without link destinations and tags of template systems. */
function piecesOf(block: Block): Piece[] {
  const visible = visibleText(block)
  const hiddenSpans = mayHaveTags(block.text)
    ? [...templateTags(visible)].map(({ start, end }) => ({ start, end }))
    : []
  // Of `[text](address)`, the parts before and behind `text`.
  for (const { kind, start, end, text } of block.inlines)
    if (kind === 'footnote' || TITLED.has(kind)) hiddenSpans.push({ start, end: text.start }, { start: text.end, end })
  hiddenSpans.sort((a, b) => a.start - b.start)
  // The pieces are the text before each hidden span, and before the end. Spans may overlap.
  let at = block.textStart
  return [...hiddenSpans, { start: visible.length, end: visible.length }].flatMap(({ start, end }) => {
    const piecesBefore = splitPieces(visible, at, Math.max(at, start), MARKUP, decode)
    at = Math.max(at, end)
    return piecesBefore
  })
}

/** The titles of links and pictures, and the attributes of HTML in a block, that people read. */
function* attributesOf(block: Block): Generator<Piece[]> {
  for (const { kind, end, text } of block.inlines) {
    if (!TITLED.has(kind)) continue
    // ` "Title")` of `[text](address "Title")`: without the space and quote before it, and the quote and bracket behind.
    const title = /\s(?:"[^"]*"|'[^']*'|\([^()]*\))\s*\)$/.exec(block.text.slice(text.end, end))
    if (title) yield splitPieces(block.text, text.end + title.index + 2, end - 2)
  }
  for (const { 0: tag, 1: element = '', index } of visibleText(block).matchAll(/<([a-z][\w-]*)(?![\w-])[^<>]*>/gi)) {
    const attributes = [...tag.matchAll(ATTRIBUTE)]
    const pairs = attributes.map(([, name = '', , quoted = '']) => [name.toLowerCase(), quoted.slice(1, -1)] as const)
    // Reversed, because the last entry of a key wins, and of attributes with one name, the first counts.
    const values = new Map(pairs.toReversed())
    const attributeText = (wanted: string) => values.get(wanted) ?? ''
    for (const { 0: attribute, 1: name = '', 3: quoted = '', index: at } of attributes) {
      if (!isWorded(element.toLowerCase(), name.toLowerCase(), attributeText)) continue
      // The offset of the closing quote; the value begins after the opening one.
      const end = index + at + attribute.length - 1
      yield splitPieces(block.text, end - quoted.length + 2, end)
    }
  }
}

const TITLED: ReadonlySet<string> = new Set(['link', 'picture'])

/** ` alt="Logo"`: the name, the equals sign with its spaces, and the value with its quotes. */
const ATTRIBUTE = /(?<=\s)([\w:-]+)(\s*=\s*)("[^"]*"|'[^']*')/g

/** Escapes, references, tags, and marks of emphasis and strikethrough. An underscore inside a word is no mark. */
const MARKUP = new RegExp(
  `\\\\[!-/:-@[-\`{-~]|${REFERENCE.source}|</?([a-zA-Z!?][\\w:-]*)(?![\\w:-])[^<>]*>|` +
    '(?<!\\s)\\*+|\\*+(?!\\s)|~~|(?<![\\p{L}\\p{N}_])_+|_+(?![\\p{L}\\p{N}_])',
  'gu',
)

/** Emphasis and inline tags disappear, tags that split a text become a slash, and escapes their character. */
function decode(written: string, tag?: string): string {
  if (tag !== undefined) return INLINE_TAGS.has(tag.toLowerCase()) ? '' : ' / '
  return /^[*_~]/.test(written) ? '' : unescapeText(written, 'markdown')
}
