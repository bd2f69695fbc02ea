import { readBlocks, shownPage, withoutCode } from '#formats/markdown/page-blocks.ts'
import { foreignComments } from '#intake/markdown/foreign-comments.ts'
import { hiddenParts } from '#intake/markdown/foreign-syntax.ts'
import type { Edit } from '#platform/base/text.ts'
import { FOREIGN_SYNTAX } from './foreign-syntax.ts'
import type { Note, Pass } from './page.ts'

/** Removes comments of authors, which would be published: their text is lost. Tags on several lines become one line. */
export const comments: Pass = text => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  for (const { start, end, program } of foreignComments(text)) {
    const words = text.slice(start, end)
    notes.push({ at: start, what: `comment of ${program}`, text: words, isOffPage: true })
    edits.push({ start, end, text: '\n'.repeat(words.split('\n').length - 1) })
  }
  const source = withoutCode(text)
  for (const { index: start, 0: words, 1: icon } of source.matchAll(UNSEEN)) {
    const end = start + words.length
    if (icon !== undefined) notes.push({ at: end - icon.length, what: 'emoji or icon', text: icon })
    edits.push({ start, end, text: '' })
  }
  for (const { index, 0: tag } of source.matchAll(TAG))
    for (const { index: at, 0: lines } of tag.matchAll(/\n\s*/g))
      edits.push({ start: index + at, end: index + at + lines.length, text: ' ' })
  return { edits, notes }
}

/**
 * Names that a font of Google shows as icons, and elements for search engines and other services; with the line break
 * between them and a tag, since an empty line would end the HTML around them.
 */
const UNSEEN =
  /(?:\n(?<=>[ \t]*\n)[ \t]*)?(?:(<(?:i|span)\s[^<>]{0,200}?class="[^"<>]{0,200}\bmaterial-(?:icons|symbols)[^"<>]{0,200}"[^<>]{0,200}>[^<>]{0,99}<\/(?:i|span)>)|<meta\s[^<>]*>)/g

/** A tag or call that may be on several lines, where Markdown would divide it. */
const TAG = /\{(?:%|\{(?=[<%]|-?\s{0,9}\w+\())(?:(?!\{[{%]|[%}]\}).){0,10000}[%}]\}/gs

/** Converts the syntax of other programs in the text; what has no form here is lost. */
export const inlines: Pass = (text, task) => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  // Markdown has no effect in HTML.
  const blocks = readBlocks(text).filter(({ kind }) => kind !== 'html')
  const shown = shownPage(text, blocks).padEnd(text.length)
  for (const { what, pattern, convert, isLost } of FOREIGN_SYNTAX)
    for (const { index, 0: words, 1: type = '' } of shown.matchAll(pattern)) {
      const start = index + words.length - words.trimStart().length
      const end = start + words.trim().length
      const source = text.slice(start, end)
      const changes = convert({ start, end, source, type }, text, task)
      const became = changes.map(edit => edit.text.split('\n')[0]).join('…')
      notes.push({ at: start, what, ...(isLost ? { text: source } : { became: became || 'nothing' }) })
      edits.push(...changes)
    }
  for (const { index: at, 0: line } of hiddenParts(text, () => shown).flatMap(({ matches }) => matches))
    notes.push({ at, what: 'code syntax', text: line.trim() })
  return { edits, notes }
}
