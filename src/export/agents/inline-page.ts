import { blockParser } from '../../brand/markdown/block-parser.ts'

/** A page within another document, or the reason why it cannot be. */
export type InlinedPage = { text: string; hasTitle: boolean } | { problem: 'open' | 'nested' }

/**
 * A page of Markdown for use within another document. Its headings become `levels` deeper. Its YAML code blocks get
 * another language, since readers of the document would parse them as its own values. A page that leaves a block open
 * is rejected, since the block would include the text after the page.
 */
export function inlinePage(text: string, levels: number): InlinedPage {
  if (NESTED.test(text)) return { problem: 'nested' }
  const changes: Change[] = []
  let isFirst = true
  let hasTitle = false
  const tree = blockParser.parse(`${text}${PROBE}`)
  let isClosed = false
  tree.iterate({
    enter: ({ name, from, to, node }) => {
      if (from === text.length + PROBE.length - PROBE_HEADING.length && name === 'ATXHeading2') isClosed = true
      if (from >= text.length) return
      const level = /^(?:ATX|Setext)Heading([1-6])$/.exec(name)?.[1]
      if (level !== undefined && isFirst) hasTitle = level === '1'
      if (level !== undefined || name === 'Paragraph') isFirst = false
      const deeper = '#'.repeat(Math.min(6, Number(level ?? 0) + levels))
      if (name.startsWith('ATX')) changes.push({ start: from, end: from + Number(level), text: deeper })
      else if (level !== undefined)
        changes.push({ start: from, end: to, text: `${deeper} ${onOneLine(text.slice(from, to))}` })
      if (name !== 'FencedCode') return
      const info = node.getChild('CodeInfo')
      const [language = ''] = info ? text.slice(info.from, info.to).split(/\s/) : []
      if (info && isYaml(language))
        changes.push({ start: info.from, end: info.from + language.length, text: OTHER_YAML })
    },
  })
  return isClosed ? { text: applyChanges(text, changes), hasTitle } : { problem: 'open' }
}

/** A heading, unless the text before it leaves a block open. */
const PROBE_HEADING = '## x\n'
const PROBE = `\n\n${PROBE_HEADING}`

/** More nested containers on a line than people write, and more than the parser reads. */
const NESTED = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*){60}/m

type Change = { start: number; end: number; text: string }

/** The text of a setext heading without its underline and the quote marks around it. */
function onOneLine(heading: string): string {
  const lines = heading.split('\n').slice(0, -1)
  const text = lines.map((line, at) => (at === 0 ? line : line.replace(/^[\s>]+/, ''))).join(' ')
  return text.trim().replace(/#+$/, hashes => hashes.replaceAll('#', '\\#'))
}

/** Whether the language of a code block is YAML, or could be once its escapes are resolved. */
function isYaml(language: string): boolean {
  return /^ya?ml$/i.test(language) || /[\\&]/.test(language)
}

const OTHER_YAML = 'yaml-example'

function applyChanges(text: string, changes: readonly Change[]): string {
  const parts: string[] = []
  let end = 0
  for (const change of [...changes].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(end, change.start), change.text)
    end = change.end
  }
  return parts.join('') + text.slice(end)
}
