import { anyOf, wordsIn } from '#platform/base/text.ts'

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
  const [statementEnd, valueEnd] = [ends(text, '%}'), ends(text, '}}')]
  const opening = /\{(?:[%:]|\{[<%]?)/g
  opening.lastIndex = tags.at(-1)?.end ?? 0
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const { index: start, 0: sign } = match
    const kind = KINDS.get(sign) ?? 'value'
    const end = { statement: statementEnd, attributes: attributesEnd, value: valueEnd, shortcode: valueEnd }[kind](
      start,
      text,
    )
    const isTag = end <= text.length && end - start <= MAX_TAG
    opening.lastIndex = isTag ? end : start + 2
    if (isTag && CONTENT.test(text.slice(start, end))) tags.push({ start, end, kind })
  }
  return tags
}

const KINDS = new Map<string, Exclude<TemplateTagKind, 'module'>>([
  ['{%', 'statement'],
  ['{:', 'attributes'],
  ['{{<', 'shortcode'],
  ['{{%', 'shortcode'],
])

/** A sign of content in a tag; `{{ }}` has none. */
const CONTENT = /[^\s{}%]/

/** A longer match is not a tag: it lacks its end. */
const MAX_TAG = 2000

/**
 * Makes a function that gives the end of the tag that begins at an offset; beyond the text if it has none. `{{{ value }}}`
 * of Handlebars ends one brace later. The offsets must rise: searching again from each would take quadratic time.
 */
function ends(text: string, closing: string): (start: number) => number {
  const closed = text + closing
  let at = -1
  return start => {
    if (at < start + 2) at = closed.indexOf(closing, start + 2)
    return at + Number(text.startsWith('{{{', start) && text[at + 2] === '}') + 2
  }
}

/** Whether an indented block has only tags and pictures: template systems indent the content between tags. */
export function isTagsAndPictures(text: string): boolean {
  const tags = templateTags(text)
  const between = [...tags, { start: text.length }].map(({ start }, at) => text.slice(tags[at - 1]?.end ?? 0, start))
  return tags.length > 0 && between.every(piece => piece.replace(PICTURE, '').trim() === '')
}

/** `![alt](file.png)`, `![alt][label]`, `![alt]` or `<img src="file.png">`. */
const PICTURE = /!\[[^[\]\n]{0,1000}\](?:\([^()\n]{0,2000}\)|\[[^[\]\n]{0,1000}\])?|<img\s[^<>]{0,2000}>/gi

/** The id of a heading, at its end: `{: #space}`. */
const OWN_ID = /(?<=\S[ \t]*)\{:[ \t]*#[^\s{}]+[ \t]*\}(?=[ \t#]*(?:\n[ \t]*[=-]+[ \t]*)?$)/y

/** `{:.class}`, `{: #id key="value"}`, `{:toc}`, `{::comment}`, `{:/}`; not `{:ok, value}`. */
const ATTRIBUTES = /\{:[ \t]*(?:[.#:/][^{}\n]{0,500}|[\w-]{1,100}(?:=[^{}\n]{0,500})?[ \t]{0,100})\}/y

function attributesEnd(start: number, text: string): number {
  ATTRIBUTES.lastIndex = start
  OWN_ID.lastIndex = start
  return !OWN_ID.test(text) && ATTRIBUTES.test(text) ? ATTRIBUTES.lastIndex : Number.POSITIVE_INFINITY
}

/** The leading imports. An export extends to the end of the text, as in MDX. */
function moduleLines(text: string): TemplateTag[] {
  const tags: TemplateTag[] = []
  MODULE.lastIndex = 0
  for (let match = MODULE.exec(text); match !== null; match = MODULE.exec(text)) {
    const [all, line = '', isExport] = match
    const start = match.index + all.length - line.length
    if (isExport) return [...tags, { start, end: text.trimEnd().length, kind: 'module' }]
    tags.push({ start, end: match.index + all.length, kind: 'module' })
  }
  return tags
}

/** `import a from "x"`, `import * as a from "x"`, `import a, { b } from "x"` or `import "x"`, to the end of a line. */
const IMPORT =
  /import[ \t]+(?:(?:[\w$]+|\*[ \t]+as[ \t]+[\w$]+|(?:[\w$]+[ \t]*,[ \t]*)?\{[^{}]{0,2000}\})\s+from[ \t]+)?(?:"[^"\n]{1,500}"|'[^'\n]{1,500}')(?:[ \t]*;)?[ \t]*(?![^\n])/
/** `export const a`, `export default function`, `export {` or `export *`; not a sentence about exports. */
const EXPORTED = [
  String.raw`${anyOf(wordsIn('const, let, var, function, class, async function'))}[ \t]+[\w$]`,
  String.raw`default[ \t]+(?:${anyOf(wordsIn('function, class, async'))}\b|[{(])`,
  '[{*]',
].join('|')
const MODULE = new RegExp(String.raw`\s{0,8}(${IMPORT.source}|(export[ \t]+(?:${EXPORTED})))`, 'y')
