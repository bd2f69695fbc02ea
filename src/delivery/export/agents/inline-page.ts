import { blockParser } from '#formats/markdown/block-parser.ts'
import { applyEdits, type Edit, groupsOf } from '#platform/base/text.ts'

/** A page within another document, or the reason why it cannot be. */
type InlinedPage = { text: string; hasTitle: boolean } | { problem: 'open' | 'nested' }

/**
 * A page of Markdown for use within another document. Its headings become `levels` deeper. Its YAML code blocks get
 * another language, since readers of the document would parse them as its own values. A page that leaves a block open
 * is rejected, since the block would include the text after the page.
 */
export function inlinePage(text: string, levels: number): InlinedPage {
  if (NESTED.test(text)) return { problem: 'nested' }
  const edits: Edit[] = []
  let isFirst = true
  let hasTitle = false
  const tree = blockParser.parse(`${text}${PROBE}`)
  let isClosed = false
  tree.iterate({
    enter: ({ name, from, to, node }) => {
      if (from === text.length + PROBE.length - PROBE_HEADING.length && name === 'ATXHeading2') isClosed = true
      if (from >= text.length) return
      const level = groupsOf(/^(?:ATX|Setext)Heading([1-6])$/, name)[1]
      if (level !== undefined && isFirst) hasTitle = level === '1'
      if (level !== undefined || name === 'Paragraph') isFirst = false
      const deeper = '#'.repeat(Math.min(6, Number(level ?? 0) + levels))
      if (name.startsWith('ATX')) edits.push({ start: from, end: from + Number(level), text: deeper })
      else if (level !== undefined)
        edits.push({ start: from, end: to, text: `${deeper} ${onOneLine(text.slice(from, to))}` })
      if (name !== 'FencedCode') return
      const info = node.getChild('CodeInfo')
      const [language = ''] = info ? text.slice(info.from, info.to).split(/\s/) : []
      if (info && YAML.test(language))
        edits.push({ start: info.from, end: info.from + language.length, text: OTHER_YAML })
    },
  })
  return isClosed ? { text: applyEdits(text, edits), hasTitle } : { problem: 'open' }
}

/** A heading, unless the text before it leaves a block open. */
const PROBE_HEADING = '## x\n'
const PROBE = `\n\n${PROBE_HEADING}`

/** More nested containers on a line than people write, and more than the parser reads. */
const NESTED = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*){60}/m

/** The text of a setext heading without its underline and the quote marks around it. */
function onOneLine(heading: string): string {
  const lines = heading.split('\n').slice(0, -1)
  const text = lines.map((line, at) => (at === 0 ? line : line.replace(/^[\s>]+/, ''))).join(' ')
  return text.trim().replace(/(?<!#)#+$/, hashes => hashes.replaceAll('#', '\\#'))
}

/** The language of a code block is YAML, or could be once its escapes are resolved. */
const YAML = /^ya?ml$|[\\&]/i
const OTHER_YAML = 'yaml-example'
