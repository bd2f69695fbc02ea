import { anyOf, groupsOf, wordsIn, wordTable } from '#platform/base/text.ts'

/** A template tag: its UTF-16 offsets, `end` exclusive, and its form. */
export type TemplateTag = { start: number; end: number; kind: TemplateTagKind }

/**
 * The forms of tags: `{% … %}` (Liquid, Jinja, Nunjucks), `{{ … }}` (also Handlebars), `{{< … >}}` and `{{% … %}}`
 * (Hugo), `{: … }` (kramdown), and `import` and `export` lines (MDX).
 */
export type TemplateTagKind = 'statement' | 'value' | 'shortcode' | 'attributes' | 'module'

/** Whether Markdown may contain tags of other systems; most pages do not. */
export function mayHaveTags(text: string): boolean {
  return /\{[{%:]|^[ \t>]*(?:import|export)[ \t]/m.test(text)
}

/**
 * Finds the tags in one Markdown block or in a piece of HTML, in order and not nested. The caller must first remove
 * code or replace it with spaces. MDX lines count only at the start of the text. Takes linear time for any input.
 */
export function templateTags(text: string): TemplateTag[] {
  const tags = moduleLines(text)
  const find = searcher(text)
  const opening = /\{[{%:]/g
  opening.lastIndex = tags.at(-1)?.end ?? 0
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index
    const kind = kindAt(text, start)
    // Beyond all text if there is no end.
    const end = kind === 'attributes' ? attributesEnd(text, start) : find(CLOSINGS[kind], start + 2) + 2
    const isBlank = kind !== 'attributes' && find(CONTENT, start + 2) >= end - 2
    if (isBlank || end - start > MAX_TAG) continue
    // `{{{ value }}}` of Handlebars ends one brace later.
    const isTriple = kind === 'value' && text[start + 2] === '{' && text[end] === '}'
    const tag = { start, end: isTriple ? end + 1 : end, kind }
    tags.push(tag)
    opening.lastIndex = tag.end
  }
  return tags
}

/** A longer match is not a tag: it lacks its end. */
const MAX_TAG = 2000

/** Whether an indented block has only tags and pictures: template systems indent the content between tags. */
export function isTagsAndPictures(text: string): boolean {
  const tags = templateTags(text)
  const between = [...tags, { start: text.length }].map(({ start }, at) => text.slice(tags[at - 1]?.end ?? 0, start))
  return tags.length > 0 && between.every(piece => piece.replace(PICTURE, '').trim() === '')
}

/** `![alt](file.png)`, `![alt][label]`, `![alt]` or `<img src="file.png">`. */
const PICTURE = /!\[[^[\]\n]{0,1000}\](?:\([^()\n]{0,2000}\)|\[[^[\]\n]{0,1000}\])?|<img\s[^<>]{0,2000}>/gi

const CLOSINGS = { statement: /%\}/g, value: /\}\}/g, shortcode: /\}\}/g } as const
/** The first sign of content between the braces of a tag; `{{ }}` has none. */
const CONTENT = /[^\s{}]/g

function kindAt(text: string, start: number): Exclude<TemplateTagKind, 'module'> {
  if (text[start + 1] === ':') return 'attributes'
  if (text[start + 1] === '%') return 'statement'
  return /[<%]/.test(text[start + 2] ?? '') ? 'shortcode' : 'value'
}

/**
 * Finds the next match, or infinity, and remembers it: searching again from each opening tag would take quadratic time.
 * Each call must start at or after the last one with the same pattern.
 */
function searcher(text: string): (wanted: RegExp, from: number) => number {
  const positions = new Map<RegExp, number>()
  return (wanted, from) => {
    let at = positions.get(wanted)
    if (at === undefined || at < from) {
      wanted.lastIndex = from
      at = wanted.exec(text)?.index ?? Number.POSITIVE_INFINITY
      positions.set(wanted, at)
    }
    return at
  }
}

/** The id of a heading, at its end: `{: #space}`. */
const OWN_ID = /(?<=\S[ \t]*)\{:[ \t]*#[^\s{}]+[ \t]*\}(?=[ \t#]*(?:\n[ \t]*(?:=+|-+)[ \t]*)?$)/y

/** `{:.class}`, `{: #id key="value"}`, `{:toc}`, `{::comment}`, `{:/}`; not `{:ok, value}`. */
const ATTRIBUTES =
  /\{:(?:[ \t]*[.#][^{}\n]{0,500}|[ \t]*[\w-]{1,100}(?:=[^{}\n]{0,500}|[ \t]{0,100})|[:/][^{},\n]{0,500})\}/y

function attributesEnd(text: string, start: number): number {
  ATTRIBUTES.lastIndex = start
  OWN_ID.lastIndex = start
  return !OWN_ID.test(text) && ATTRIBUTES.test(text) ? ATTRIBUTES.lastIndex : Number.POSITIVE_INFINITY
}

/** The leading imports. An export extends to the end of the text, as in MDX. */
function moduleLines(text: string): TemplateTag[] {
  const tags: TemplateTag[] = []
  let at = 0
  for (;;) {
    const start = at + (/\S/.exec(text.slice(at, at + MAX_INDENT))?.index ?? 0)
    if (isExport(text, start)) return [...tags, { start, end: text.trimEnd().length, kind: 'module' }]
    IMPORT.lastIndex = start
    if (!IMPORT.test(text)) return tags
    at = IMPORT.lastIndex
    tags.push({ start, end: at, kind: 'module' })
  }
}

const MAX_INDENT = 8

/** `export const a = …`, `export default function`, `export { a }` or `export * from`; not a sentence about exports. */
function isExport(text: string, start: number): boolean {
  EXPORT.lastIndex = start
  const [, word = '', next = ''] = groupsOf(EXPORT, text)
  return EXPORTS.get(word)?.test(next) === true
}

/** Two words or signs after `export`. */
const EXPORT = /export[ \t]+([a-z]+|[{*])(?:[ \t]+([\w$]+|[{(]))?/y
const NAME = /^[\w$]/
/** What follows the first of them. */
const EXPORTS = wordTable([
  [NAME, 'const let var function class'],
  [/^function$/, 'async'],
  [new RegExp(`^${anyOf(wordsIn('function, class, async, {, ('))}$`), 'default'],
  [/(?:)/, '{ *'],
])
/** `import a from "x"`, `import * as a from "x"`, `import a, { b } from "x"` or `import "x"`, to the end of a line. */
const IMPORT =
  /import[ \t]+(?:(?:[\w$]+|\*[ \t]+as[ \t]+[\w$]+|(?:[\w$]+[ \t]*,[ \t]*)?\{[^{}]{0,2000}\})\s+from[ \t]+)?(?:"[^"\n]{1,500}"|'[^'\n]{1,500}')(?:[ \t]*;)?[ \t]*(?=\n|$)/y
