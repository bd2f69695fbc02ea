import type { AnyNode, MemberExpression } from 'acorn'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { mdxExpressionFromMarkdown } from 'mdast-util-mdx-expression'
import { type MdxJsxFlowElement, type MdxJsxTextElement, mdxJsxFromMarkdown } from 'mdast-util-mdx-jsx'
import { mdxExpression } from 'micromark-extension-mdx-expression'
import { mdxJsx } from 'micromark-extension-mdx-jsx'
import { errorMessage } from '#platform/base/error.ts'
import { field, isObject } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import { anyOf, blanks, groupsOf, wordsIn } from '#platform/base/text.ts'
import { declarationsIn, ELEMENTS, evaluate, type Inner, JavaScript, type Meanings } from '../json/expression.ts'
import { withoutCode } from './page-blocks.ts'

type Root = ReturnType<typeof fromMarkdown>
export type Node = Root | Root['children'][number]
export type Element = MdxJsxFlowElement | MdxJsxTextElement

/**
 * Parses MDX to find positions, and reads what is no MDX, such as tags without an end, as text; gives where it is.
 *
 * @throws if it is nested too deeply, or has too many elements or too many such parts
 */
export function parse(text: string, isMdx: boolean): { root: Root; refused: number[] } {
  const refused: number[] = []
  const extensions = [
    mdxJsx(),
    ...(isMdx ? [mdxExpression()] : []),
    isMdx || NESTED.test(text) ? NO_HTML_OR_INDENTED_CODE : NO_HTML,
  ]
  const mdastExtensions = [mdxJsxFromMarkdown(), mdxExpressionFromMarkdown()]
  let source = withoutForeignSyntax(text)
  if ([...source.matchAll(/<[A-Za-z]/g)].length > MAX_ELEMENTS) throw new Error(`more than ${MAX_ELEMENTS} elements`)
  // Each time that the parser refuses the text, a sign that it does not accept becomes a space.
  for (;;) {
    try {
      return { root: fromMarkdown(source, { extensions, mdastExtensions }), refused }
    } catch (error) {
      source = withoutRefused(source, error, refused)
    }
  }
}

/**
 * A text without the tags that need no end, or else without the sign that the parser refused, whose offset it adds.
 *
 * @throws the error of the parser, if the sign cannot be found or too much was parsed
 */
function withoutRefused(source: string, error: unknown, refused: number[]): string {
  const withoutOpenTags = source.replace(NO_ELEMENT, ' ')
  if (withoutOpenTags !== source) return withoutOpenTags
  const start = refused.length * source.length < MAX_REPARSED ? refusedAt(error, source) : -1
  if (start === -1) throw error
  refused.push(start)
  return `${source.slice(0, start)} ${source.slice(start + 1)}`
}

/** Replaces what no MDX parser accepts, although authors and other systems write it, by as many characters. */
function withoutForeignSyntax(text: string): string {
  return (
    text
      // <!-- a comment -->: up to the first `-->`, and only from the first `<!--` before it
      .replace(/<!--(?<!<!--(?!-?>)(?:(?!-->).)*?<!--).*?-->/gs, blanks)
      // <https://example.com> and <name@example.com>
      .replace(/<(?=https?:|mailto:|[\w.+-]+@)/g, ' ')
      // {'{'}, a brace that is meant as text
      .replace(/\{(["'`])[{}]\1\}/g, "{' '}")
      // :value="x", @click="x" and #slot="x", attributes of Vue
      .replace(/(?<=\s)[:@#](?=[a-z][\w.-]*=["'])/gi, '_')
      .replace(MARKED_HEADING, heading => heading.replace(/\{(?=[^{}]*\}[ \t]*$)/, ' '))
  )
}

/** A heading with the mark of an id: `{#space}`, `{ #space }`, `{: #space .x}` or `{/* #space *\/}`. */
const MARKED_HEADING = /^ {0,3}#{1,6}[ \t][^\n]*\{[:/*\s]{0,9}[#.][^{}\n]*\}[ \t]*$/gm
const NO_HTML = { disable: { null: ['autolink', 'htmlFlow', 'htmlText'] } }
const NO_HTML_OR_INDENTED_CODE = { disable: { null: [...NO_HTML.disable.null, 'codeIndented'] } }
/** A component in another element, indented as code. */
const NESTED = /^[ \t]*<[A-Za-z][^\n]*>[ \t]*\n(?: {4}|\t)[ \t]*<(?:[A-Z]|[a-z]\w*-)/m
const MAX_ELEMENTS = 20_000
/** The characters that are parsed again, for pages with much that is no MDX. */
const MAX_REPARSED = 300_000
/** The `<` of HTML without an end, `<br>`, and of signs, `< 7`, `<=` and `<7`. */
const NO_ELEMENT = new RegExp(
  `<(?=${anyOf(wordsIn('br, hr, img, input, source, col, wbr'))}\\b[^<>]*(?<!/)>|[^a-z_/>$])`,
  'gi',
)

/**
 * The offset of the tag or brace that the parser refuses; -1 if it cannot be found. The line and column are in the
 * message, such as `(3:1-3:5)`, or else fields of the error. Those of an expression without an end are the end of the
 * text.
 */
function refusedAt(error: unknown, text: string): number {
  const own = [field(error, 'line'), field(error, 'column') ?? 1]
  const [, line = own[0], column = own[1]] = groupsOf(/\((\d+):(\d+)/, errorMessage(error))
  if (line === undefined) return -1
  if (field(error, 'source') === 'micromark-extension-mdx-expression') return lastOpenBrace(text)
  const linesBefore = text.split('\n', Number(line) - 1).map(before => `${before}\n`)
  return text.lastIndexOf('<', linesBefore.join('').length + Number(column) - 1)
}

/** The offset of the last `{` without a `}`; -1 if there is none. */
function lastOpenBrace(text: string): number {
  const open: number[] = []
  for (const { index, 0: brace } of text.matchAll(/[{}]/g))
    if (brace === '{') open.push(index)
    else open.pop()
  return open.at(-1) ?? -1
}

export function isElement(node: Node): node is Element {
  return node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement'
}

/** What an expression says: a text, a list, or named values. JSX in it is text, as Markdown. */
export type Value = string | boolean | Value[] | { [name: string]: Value }

/**
 * Looks up the value of a name in an expression, and the Markdown of JSX between offsets. `isWhole` is false if only a
 * member of the value is used: `logo.src`.
 */
export type Scope = {
  lookUp: (name: string, isWhole: boolean) => Value | undefined
  markdownOf: (start: number, end: number) => string
}

/** What an expression says, if it has only literals, known names and JSX. */
export function readValue(text: string, start: number, end: number, scope: Scope): Value | undefined {
  return attempt(() => {
    const node = JavaScript.parseExpressionAt(text, start, OPTIONS)
    return text.slice(node.end, end).trim() === '' ? wholeValue(node, scope) : undefined
  })
}

const OPTIONS = { ecmaVersion: 'latest', sourceType: 'module' } as const

/** What an expression says; undefined if a part of it is unknown. */
function wholeValue(node: AnyNode, scope: Scope): Value | undefined {
  const { value, isWhole } = evaluate(node, meaningsIn(scope))
  return isWhole ? shownValue(value) : undefined
}

function shownValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(shownValue)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, shownValue(own)]))
  return typeof value === 'boolean' ? value : `${value ?? ''}`
}

/** The meanings of names, of members, of functions that give an address, and of JSX. */
function meaningsIn(scope: Scope): Meanings {
  return (node, inner) => {
    switch (node.type) {
      case 'Identifier':
        return scope.lookUp(node.name, true)
      case 'MemberExpression':
        return memberValue(node, scope, inner)
      case 'CallExpression':
      case 'NewExpression':
        return isAddress(node.callee) ? inner(node.arguments[0] ?? null) : undefined
      default:
        return ELEMENTS.has(node.type) ? scope.markdownOf(node.start, node.end) : undefined
    }
  }
}

function memberValue({ object, property }: MemberExpression, scope: Scope, inner: Inner): unknown {
  const owner = object.type === 'Identifier' ? scope.lookUp(object.name, false) : inner(object)
  // A member such as `default` or `src` of an imported file is its address.
  if (!isObject(owner)) return owner
  const name = property.type === 'Identifier' ? property.name : inner(property)
  return new Map<unknown, unknown>(Object.entries(owner)).get(name)
}

/** Whether a function gives the address of a file: `require('./a.png')`, `useBaseUrl('a.png')` or `new URL('a.png')`. */
function isAddress(callee: AnyNode): boolean {
  const name = callee.type === 'Identifier' ? callee.name.toLowerCase() : ''
  return ADDRESS_WORDS.some(word => name.includes(word))
}

const ADDRESS_WORDS = ['require', 'url', 'asset', 'withbase', 'withprefix']

/** An import or export of a page: the path of an import, else empty, and the names that it gives, with their values. */
type Module = { start: number; end: number; path: string; values: ReadonlyMap<string, Value | undefined> }

/** Finds the imports and exports of a page with the lines that they take, but not in code. */
export function readModules(text: string, scope: Scope): Module[] {
  const modules: Module[] = []
  for (const { index: start } of withoutCode(text).matchAll(/^(?:import|export)\b/gm)) {
    const isInLast = start < (modules.at(-1)?.end ?? 0)
    if (isInLast) continue
    // Read from its start, a statement is complete at the first possible end at which it can be parsed.
    const statements = text
      .slice(start)
      .matchAll(POSSIBLE_END)
      .take(MAX_ENDS)
      .flatMap(({ index }) => {
        const [node] = attempt(() => JavaScript.parse(text.slice(start, start + index), OPTIONS).body) ?? []
        return node ? [{ node, end: Math.min(start + index + 1, text.length) }] : []
      })
    const ownScope: Scope = { ...scope, markdownOf: (from, to) => scope.markdownOf(start + from, start + to) }
    for (const { node, end } of statements.take(1)) modules.push({ start, end, ...namesIn(node, ownScope) })
  }
  return modules
}

/** A statement may end before a line that is blank or not indented, and at the end of the text. */
const POSSIBLE_END = /\n(?=\S|[ \t]*(?![^\n]))|$/g
const MAX_ENDS = 50

/** The names of an import, or of an export with their values. */
function namesIn(node: AnyNode, scope: Scope): Pick<Module, 'path' | 'values'> {
  const declared = declarationsIn(node).map(([name, value]) => [name, wholeValue(value, scope)] as const)
  const imported = node.type === 'ImportDeclaration' ? node.specifiers : []
  const names = imported.map(({ local }) => [local.name, undefined] as const)
  return { path: `${field(field(node, 'source'), 'value') ?? ''}`, values: new Map([...declared, ...names]) }
}
