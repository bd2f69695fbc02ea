import type { Element, ElementContent } from 'hast'
import { colorChip, copyButton } from '../../cards/color-tile.ts'
import { element } from '../../cards/element.ts'
import type { Words } from '../../words/words.ts'
import { classesOf, isBlank, isElement } from '../hast.ts'

/** The limit of highlighted code per page in characters, since highlighting makes code much longer. */
export const MAX_HIGHLIGHTED = 50_000

/** A code block with a copy button. Highlights it within the limit of the page. */
export function asCodeBlock(pre: Element, words: Words, page: { marksLeft: number }): Element | undefined {
  const [code, ...others] = pre.children.filter(child => !isBlank(child))
  if (!isElement(code, 'code') || others.length > 0) return undefined
  highlightCode(code, page)
  return element('div', { className: ['code'] }, pre, copyButton(words, `${words.forms.code}`, ''))
}

function highlightCode(code: Element, page: { marksLeft: number }): void {
  const language = classesOf(code).find(name => name.startsWith('language-'))
  const [text, ...others] = code.children
  if (text?.type !== 'text' || others.length > 0 || text.value.length > page.marksLeft) return
  const marked = language && highlightSyntax(text.value, language.slice('language-'.length).toLowerCase())
  if (!marked) return
  page.marksLeft -= text.value.length
  code.children = marked
}

/**
 * Highlights code; undefined if the language is not common in guides. Each expression takes linear time: an unclosed
 * token extends to the end of the code or line, and runs of letters match only from their start.
 */
export function highlightSyntax(code: string, language: string): ElementContent[] | undefined {
  const tokens = LANGUAGES.get(language)
  if (tokens === undefined) return undefined
  const marked: ElementContent[] = []
  let end = 0
  for (const { 0: text, index, groups = {} } of code.matchAll(tokens)) {
    const kind = KINDS.find(name => groups[name] !== undefined)
    if (kind === undefined) continue
    if (index > end) marked.push({ type: 'text', value: code.slice(end, index) })
    marked.push(element('span', { className: [kind] }, text))
    end = index + text.length
  }
  return [...marked, { type: 'text', value: code.slice(end) }]
}

const KINDS = ['comment', 'string', 'key'] as const

/** `"text"` or `'text'`, also with `\"`, up to the end of the line. */
const QUOTED = [quoted('"'), quoted("'")]
const C_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/
/** `# comment`, but not the fragment of an address. */
const HASH_COMMENT = /(?<!\S)#[^\n]*/

// The keys: `@media` and the name in `color: red`; `<a` and `/>`; `"name"` in `"name":`; `name` in `name:`; `--flag`, `$HOME`
// and `${HOME}`.
const CSS = tokens({ comment: C_COMMENT, string: QUOTED, key: /@[\w-]+|(?<![\w-])[\w-]+(?=:\s)/ })
const HTML = tokens({
  comment: /<!--[\s\S]*?(?:-->|$)/,
  string: /(?<==)(?:"[^"]*"?|'[^']*'?)/,
  key: /<\/?[a-zA-Z][\w:.-]*|\/?>/,
})
const SCRIPT = tokens({
  comment: [/\/\/[^\n]*/, C_COMMENT],
  string: [...QUOTED, quoted('`', { ends: '', escaped: '[\\s\\S]' })],
})
const DATA = tokens({ key: /"(?:[^"\\\n]|\\.)*"(?=:)/, string: QUOTED })
const YAML = tokens({ comment: HASH_COMMENT, string: QUOTED, key: /(?<![\w.-])[\w.-]+(?=:(?:\s|$))/ })
const SHELL = tokens({ comment: HASH_COMMENT, string: QUOTED, key: /(?<!\S)--?[\w-]+|\$\w+|\$\{\w+\}/ })

/** The language names in code fences, and their tokens. */
const LANGUAGES: ReadonlyMap<string, RegExp> = new Map(
  [
    { names: 'css scss less', tokens: CSS },
    { names: 'html xml svg vue', tokens: HTML },
    { names: 'js javascript mjs jsx ts typescript tsx', tokens: SCRIPT },
    { names: 'json jsonc json5', tokens: DATA },
    { names: 'yaml yml toml', tokens: YAML },
    { names: 'sh bash shell zsh console', tokens: SHELL },
  ].flatMap(({ names, tokens }) => names.split(' ').map(name => [name, tokens] as const)),
)

/** Text between marks, which other characters may also end, and characters that a backslash escapes. */
function quoted(mark: string, { ends = '\\n', escaped = '.' } = {}): RegExp {
  return new RegExp(`${mark}(?:[^${mark}\\\\${ends}]|\\\\${escaped})*${mark}?`)
}

/** An expression with a named group for each kind, such as `(?<comment>…)|(?<string>…)`. */
function tokens(kinds: Readonly<Record<string, RegExp | readonly RegExp[]>>): RegExp {
  const groups = Object.entries(kinds).map(
    ([name, choices]) =>
      `(?<${name}>${[choices]
        .flat()
        .map(({ source }) => source)
        .join('|')})`,
  )
  return new RegExp(groups.join('|'), 'g')
}

/** The limit of chips per page, since a chip is much longer than its code. */
export const MAX_CHIPS = 2000

/** Code that is only a CSS colour, and text that is only one as hex, get a chip of it, within the limit of the page. */
export function withColorChips({ tagName, children }: Element, page: { chipsLeft: number }): ElementContent[] {
  const patterns = tagName !== 'code' ? [HEX] : children.length === 1 ? COLORS : []
  return children.flatMap(node => {
    const text = node.type === 'text' ? node.value.trim() : ''
    if (page.chipsLeft === 0 || !patterns.some(pattern => pattern.test(text))) return [node]
    page.chipsLeft--
    return [colorChip(text), node]
  })
}

const HEX = /^#[\da-f]{6}$/i
/** `#fff`, `#14212b` or `#14212bff`; `rgb(20, 33, 43)`; `hsl(206, 37%, 12%)`. */
const COLORS = [
  /^#(?:[\da-f]{3,4}|(?:[\da-f]{2}){3,4})$/i,
  /^rgb\(\d{1,3}(?:(?:, ?| )\d{1,3}){2}\)$/,
  /^hsl\(\d{1,3}(?:(?:, ?| )\d{1,3}%){2}\)$/,
]
