import { hiddenParts, OBSIDIAN_LINKS } from '#intake/markdown/foreign-syntax.ts'

/** The matches of one row, at offsets of the text. Without a name: in lines that open code, rules and comments. */
type ForeignSyntax = { id?: SyntaxId; matches: RegExpExecArray[] }

/**
 * Finds syntax of other programs that has no effect here. The parts of a match are of the shown text.
 *
 * @param shown gives the text of the page, as `shownPage` does
 */
export function foreignSyntax(text: string, shown: () => string): ForeignSyntax[] {
  const inText = SYNTAX.map(([id, pattern]) => ({ id, matches: Array.from(shown().matchAll(pattern)) }))
  return [...inText, ...hiddenParts(text, shown).map(({ matches }) => ({ matches }))]
}

/**
 * The syntax of other programs. In the text, markers of blocks are spaces, and code, tags and addresses are `\uFFFC`.
 * The first rows have a form here; the rows from `line` on are the forms of syntax that stays as text, in any program.
 */
const SYNTAX = [
  ...OBSIDIAN_LINKS.map(([id, , pattern]) => [id, pattern] as const),
  ['highlight', /(?<![=\p{L}\p{N}])==(?=[^\s=])[^=\n]*[^\s=]==(?![=\p{L}\p{N}])/gu],
  ['widePicture', /!\[[^[\]\n]*\|\s*\d+(?:x\d+)?\](?=\()/g],
  ['blockId', /\^(?<=(?:^[ \t]*|\S[ \t])\^)(?=[\d-]*[a-z])[a-z0-9-]+[ \t]*$/gim],
  ['contents', /^[ \t]*\[\[?_?toc_?\]?\][ \t]*$/gim],
  ['snippet', /^[ \t]*[-;]+8<[-;]+.*$/gm],
  ['keys', /(?<![\w+{])\+\+(?=[\w"])[\w"+-]*[\w"]\+\+(?![\w+])/g],
  ['inserted', /(?<!\^)\^\^(?=\S)[^^\n]*[^\s^]\^\^/g],
  ['emoji', /(?<![\p{L}\p{N}:/\uFFFC]):(?=[a-z+-])[\w+-]*[a-z0-9]:(?![\p{L}\p{N}:/\uFFFC])/giu],
  ['codeFile', /^[ \t]*<<<[ \t]*\S.*$/gm],
  ['subscript', /(?<=[\p{L}\p{N})])~[^\s~]{1,12}(?!(?<=\p{N})~\p{N})~(?!~)/gu],
  ['superscript', /(?<=[\p{L}\p{N})])\^[^\s^[\]]{1,12}\^/gu],
  ['abbreviation', /^[ \t]*\*\[[^[\]\n]+\]:.*$/gm],
  ['definition', /(?<=\S[ \t]*\n(?:[ \t]*\n)?)[ \t]{0,3}:[ \t]+\S.*$/gm],
  ['attributeList', attributeList()],
  ['pictureSize', /\]\([^()\s]+[ \t]+=\d*(?!\d)%?x?\d*%?[ \t]*(?:"[^"\n]*")?\)/g],
  // A line that repeated marks begin and words follow: `!!! note`, `=== "Tab"`, `:::: grid`, `?? more`, but not `!! New !!`.
  ['line', /^[ \t]*(?!\/\/(?!\/))([!?=:/%])\1+[>\t ]*(?=[\p{L}"'{])(?!.*\1\1).*$/gmu],
  // A word or sign before brackets, or in them before a name: `:kbd[x]`, `^[a note]`, `[@Moss]`.
  ['brackets', /(?<![\p{L}\p{N}:])[:^@][\w-]*\[[^[\]\n]+\]|(?<!\])\[-?@\w[^[\]\n]*\](?![([])/gu],
  // Marks in braces, names with a dot in them, and names directly before code: `{++x++}`, `{props.x}`, `` {ref}`x` ``.
  [
    'braces',
    /\{([+~=-]{2})[^{}]{0,500}\1\}|(?<![{$])\{\w{1,50}\.[\w.]{1,200}\}|(?:\{[a-z][\w:+-]{0,50}\}|:[a-z][\w:+-]{0,50}:)(?=\uFFFC)/gi,
  ],
  ['component', /<(?:[A-Z]\w*\.\w+|[A-Za-z][\w.-]*\s[^<>]*=\{)[^<>]*>?/g],
  ['struck', /(?<![\p{L}\p{N}~\\])~(?![\s~])[^~\n]{1,500}(?<![\s\\])~(?!~)/gu],
  ['formula', /(?<![$\w\\])(\$\$?)(?=[^\s$])(?=[^$\n]*[\\^_=])[^$\n]{0,200}[^\s$\\]\1(?![\w${])/g],
  ['gridTable', /^(?<!\|[ \t]*\n)[ \t]*\+(?:[-=:]{2,}\+)+[ \t]*$/gm],
  ['emptyLink', /(?<!!)\[\]\(/g],
] as const satisfies readonly (readonly [id: string, pattern: RegExp])[]

/** The name of a row. */
export type SyntaxId = (typeof SYNTAX)[number][0]

/** `{.class}`, `{#id key="value"}`, and `{width=50%}` after a picture, link, span or code. */
function attributeList(): RegExp {
  const [mark, value] = ['[.#][\\p{L}_][^\\s{}]*', '[a-z][\\w-]*=(?:"[^"\n]*"|\'[^\'\n]*\')']
  const any = `(?:${mark}|${value}|[a-z][\\w-]*=[^\\s{}"']+|=[a-z]+|-)`
  const first = `\\{(?<!::.{0,99}\\{):?[ \\t]*(?:${mark}|${value})|(?<=[)\\]\\uFFFC]\\n?)\\{:?[ \\t]*${any}`
  return new RegExp(`(?:${first})(?:[ \\t]+${any})*[ \\t]*\\}`, 'gu')
}
