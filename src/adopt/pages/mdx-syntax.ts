import { type Expression, Parser, type PrivateIdentifier, type SpreadElement, type Super } from 'acorn'
import jsx from 'acorn-jsx'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { mdxExpressionFromMarkdown } from 'mdast-util-mdx-expression'
import { type MdxJsxFlowElement, type MdxJsxTextElement, mdxJsxFromMarkdown } from 'mdast-util-mdx-jsx'
import { mdxExpression } from 'micromark-extension-mdx-expression'
import { mdxJsx } from 'micromark-extension-mdx-jsx'
import { errorMessage } from '#base/error.ts'

type Root = ReturnType<typeof fromMarkdown>
export type Node = Root | Root['children'][number]
export type Element = MdxJsxFlowElement | MdxJsxTextElement

/**
 * Parses MDX to find positions.
 *
 * @throws if it is not MDX, or nested too deeply
 */
export function parse(text: string, isMdx: boolean): Root {
  const shown = text
    .replace(/<!--.*?-->/gs, comment => comment.replace(/[^\n]/g, ' '))
    .replace(/<(?=https?:|mailto:|[\w.+-]+@)/g, ' ')
  if ((shown.match(/<[A-Za-z]/g) ?? []).length > MAX_ELEMENTS) throw new Error(`more than ${MAX_ELEMENTS} elements`)
  const read = (source: string) =>
    fromMarkdown(source, {
      extensions: [mdxJsx(), ...(isMdx ? [mdxExpression(), { disable: { null: ['codeIndented'] } }] : []), NO_HTML],
      mdastExtensions: [mdxJsxFromMarkdown(), mdxExpressionFromMarkdown()],
    })
  try {
    return read(shown)
  } catch (error) {
    const closed = shown.replace(NO_ELEMENT, ' ')
    if (closed === shown) throw error
    return read(closed)
  }
}

const NO_HTML = { disable: { null: ['autolink', 'htmlFlow', 'htmlText'] } }
const MAX_ELEMENTS = 20_000
/** HTML without an end, and signs such as in `<7`. */
const NO_ELEMENT = /<(?=(?:br|hr|img|input|source|col|wbr)\b[^<>]*(?<!\/)>|[^\w/>$])|<(?=\d)/gi

/** What the parser says about a text, at the line that it names. */
export function failureOf(error: unknown, text: string): { at: number; text: string } {
  const message = error instanceof RangeError ? 'elements are nested too deeply' : errorMessage(error)
  const [, line = 1] = /\((\d+):/.exec(message) ?? /^(\d+):/.exec(String(error)) ?? []
  const before = text.split('\n').slice(0, Number(line) - 1)
  return {
    at: before.join('\n').length + Math.min(before.length, 1),
    text: message.replace(/ \([\d:-]+\)/g, ''),
  }
}

export function isElement(node: Node): node is Element {
  return node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement'
}

export function spanOf({ position }: Pick<Node, 'position'>): { start: number; end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** What an expression says: a text, a list, or named values. JSX in it is text, as Markdown. */
export type Value = string | Value[] | { [name: string]: Value }

/** What a name stands for in an expression, and the Markdown of the JSX between two offsets. */
export type Scope = {
  lookUp: (name: string) => Value | undefined
  markdownOf: (start: number, end: number) => string
}

const JavaScript = Parser.extend(jsx())

/** Reads the expression that begins at an offset, if it has only literals, known names and JSX, and gives its end. */
export function readExpression(text: string, start: number, scope: Scope): { value?: Value | undefined; end: number } {
  try {
    const node = JavaScript.parseExpressionAt(text, start, { ecmaVersion: 'latest', sourceType: 'module' })
    return { value: evaluate(node, scope), end: node.end }
  } catch {
    return { end: start } // Not JavaScript.
  }
}

type JsNode = Expression | SpreadElement | Super | PrivateIdentifier | null

function evaluate(node: JsNode, scope: Scope): Value | undefined {
  if (node === null) return undefined
  const type: string = node.type
  if (type === 'JSXElement' || type === 'JSXFragment') return scope.markdownOf(node.start, node.end)
  if (node.type === 'Literal') return /^(?:string|number)$/.test(typeof node.value) ? `${node.value}` : ''
  if (node.type === 'TemplateLiteral')
    return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? '') : undefined
  if (node.type === 'Identifier') return scope.lookUp(node.name)
  if (node.type === 'MemberExpression') {
    const object = evaluate(node.object, scope)
    // A member such as `default` or `src` of an imported file is its address.
    return typeof object === 'object'
      ? Object.entries(object).find(([name]) => isNamed(node.property, name))?.[1]
      : object
  }
  if (node.type === 'CallExpression')
    return isNamed(node.callee, ADDRESS) ? evaluate(node.arguments[0] ?? null, scope) : undefined
  if (node.type === 'ArrayExpression') return allOrNone(node.elements.map(element => evaluate(element, scope)))
  if (node.type !== 'ObjectExpression') return undefined
  const pairs = node.properties.map(property => {
    const value = property.type === 'Property' ? evaluate(property.value, scope) : undefined
    if (property.type !== 'Property' || value === undefined) return undefined
    const { key } = property
    const name = key.type === 'Identifier' ? key.name : evaluate(key, scope)
    return typeof name === 'string' ? ([name, value] as const) : undefined
  })
  const named = allOrNone(pairs)
  return named && Object.fromEntries(named)
}

/** Functions that give the address of a file. */
const ADDRESS = /^(?:require|use\w*Url|with(?:Base|Prefix|Asset)\w*|url|asset)$/

function isNamed(node: JsNode, name: string | RegExp): boolean {
  return node?.type === 'Identifier' && (typeof name === 'string' ? node.name === name : name.test(node.name))
}

function allOrNone<Item>(items: readonly (Item | undefined)[]): Item[] | undefined {
  const known = items.filter(item => item !== undefined)
  return known.length === items.length ? known : undefined
}

/** An import or export of a page: the name that it gives, and the path of an import or the value of an export. */
type Module = { start: number; end: number; name?: string | undefined; path?: string; value?: Value | undefined }

/** Finds the imports and exports of a page with the lines that they take, but not in code. */
export function readModules(text: string, scope: Scope): Module[] {
  const modules: Module[] = []
  for (const { 0: all, index: start, groups = {} } of text.matchAll(MODULE)) {
    const { fence, name, path, constant } = groups
    if (fence !== undefined || start < (modules.at(-1)?.end ?? 0)) continue
    const { value, end } =
      path === undefined ? readStatement(text, start + all.length, scope) : { end: start + all.length }
    REST_OF_LINE.lastIndex = end
    REST_OF_LINE.exec(text)
    modules.push({
      start,
      end: REST_OF_LINE.lastIndex,
      ...(path === undefined ? { name: constant, value } : { name, path }),
    })
  }
  return modules
}

/** The value that begins at an offset: up to the first blank line before which it is complete, as in MDX. */
function readStatement(text: string, start: number, scope: Scope): { value?: Value | undefined; end: number } {
  const blankLine = /\n[ \t]*\n|$/g
  blankLine.lastIndex = start
  const ends = Array.from({ length: MAX_PARTS }, () => blankLine.exec(text)?.index ?? text.length)
  const read = ends.values().map(end => readExpression(text.slice(0, end), start, scope))
  const complete = read.find(({ end }) => end > start)
  return complete ?? { end: ends[0] ?? start }
}

/** The blank lines that a statement may have. */
const MAX_PARTS = 50
const REST_OF_LINE = /[ \t;]*\n?/y
const MODULE =
  /^[ \t]*(?<fence>`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\k<fence>[`~]*[ \t]*$|(?![\s\S]))|^(?:import|export)[ \t]+(?:(?<name>[\w$]+)?[ \t]*,?[ \t]*(?:\{[^{}]{0,2000}\}|\*[\w$ \t]{0,100})?[ \t]*from[ \t]*)?(["'])(?<path>[^"'\n]+)\3(?=[ \t]*;?[ \t]*$)|^export[ \t]+(?:(?:const|let|var)[ \t]+(?<constant>[\w$]+)[^=\n]*=|default\b|(?=(?:function|async|class)\b))/gm
