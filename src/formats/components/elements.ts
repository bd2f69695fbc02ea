import type { AnyNode } from 'acorn'
import { field, isObject, listIn } from '#platform/base/object.ts'
import { escapeHtml, wordSet, wordTable } from '#platform/base/text.ts'
import { spend } from '../json/budget.ts'
import { isCallable, type Reader, readExpression } from './expressions.ts'
import { type Markup, markup, shownHtml, VOID_ELEMENTS } from './markup.ts'
import { bind, innerScope, lookUp, memberOf, type Scope } from './scope.ts'

type Props = Record<string, unknown>

/** Writes an element of JSX as HTML: a component of the source as what it shows, another one as the texts in its props. */
export function writeElement(node: AnyNode, scope: Scope, reader: Reader): Markup {
  const html = htmlOf(node, scope, reader)
  return markup(spend(reader.budget, html.length / 50) ? html : '')
}

function htmlOf(node: AnyNode, scope: Scope, reader: Reader): string {
  const opening = field(node, 'openingElement')
  const attributes = listIn(field(opening, 'attributes')).filter(isNode)
  const loop = attributes.find(attribute => attributeName(attribute) === 'v-for')
  if (loop === undefined) return elementHtml(node, attributes, scope, reader)
  const call = field(field(loop, 'value'), 'expression')
  const [list, binding] = listIn(field(call, 'arguments')).filter(isNode)
  const rest = attributes.filter(attribute => attribute !== loop)
  const parameters = binding?.type === 'ArrowFunctionExpression' ? binding.params : []
  const items = list ? readExpression(list, scope, reader) : undefined
  const read = (part: AnyNode, own: Scope) => readExpression(part, own, reader)
  const htmlWith = (given: readonly unknown[]) => {
    const inner = innerScope(scope)
    for (const [at, parameter] of parameters.entries()) bind(parameter, () => given[at], inner, read)
    return elementHtml(node, rest, inner, reader)
  }
  return Array.isArray(items) ? items.map((item, at) => htmlWith([item, at])).join('') : htmlWith([])
}

function elementHtml(node: AnyNode, attributes: readonly AnyNode[], scope: Scope, reader: Reader): string {
  const props = propsOf(attributes, scope, reader)
  if (CONDITIONS.some(name => field(props, name) !== undefined && !field(props, name))) return ''
  const name = elementName(field(field(node, 'openingElement'), 'name'))
  const children = listIn(field(node, 'children'))
    .filter(isNode)
    .map(child => childHtml(child, scope, reader))
    .join('')
  if (DROPPED.has(name)) return ''
  if (name === 'slot')
    return field(props, 'name') === undefined ? shownHtml(lookUp(scope, 'children')) || children : children
  const component = componentIn(name, scope)
  if (isCallable(component)) return componentHtml(component, { ...props, children: markup(children) })
  const raw = shownHtml(field(props, 'v-text')) || htmlIn(props)
  const content = `${raw}${children}`
  if (name === '' || name === 'template' || name.includes(':')) return content
  return isHtmlName(name) ? tagHtml(name, props, content) : foreignHtml(props, content)
}

const CONDITIONS = ['v-if', 'v-show']
/** Elements that show nothing. */
const DROPPED = wordSet('script style noscript')

function componentHtml(component: (given: readonly unknown[]) => unknown, props: Props): string {
  const value = component([props])
  return shownHtml(isCallable(value) ? value([props]) : value)
}

function componentIn(name: string, scope: Scope): unknown {
  const [first = '', ...fields] = name.split('.')
  return isHtmlName(name) ? undefined : fields.reduce(memberOf, lookUp(scope, first))
}

function isHtmlName(name: string): boolean {
  return /^[a-z]/.test(name) && !name.includes('.')
}

/** HTML that a prop gives an element: `dangerouslySetInnerHTML={{ __html: text }}`, `set:html`, `v-html`. */
function htmlIn(props: Props): string {
  const given = [
    memberOf(field(props, 'dangerouslySetInnerHTML'), '__html'),
    field(props, 'set:html'),
    field(props, 'v-html'),
  ]
  return given.filter(html => typeof html === 'string').join('')
}

function isNode(value: unknown): value is AnyNode {
  return isObject(value) && typeof field(value, 'type') === 'string'
}

function childHtml(child: AnyNode, scope: Scope, reader: Reader): string {
  const type: string = child.type
  if (type === 'JSXText') return escapeHtml(`${field(child, 'value')}`)
  const inner = type === 'JSXExpressionContainer' ? field(child, 'expression') : child
  return isNode(inner) ? shownHtml(readExpression(inner, scope, reader)) : ''
}

/** `Card`, `Tabs.Item` or `set:html`. */
function elementName(name: unknown): string {
  const parts = [field(name, 'object'), field(name, 'property')]
  if (isNode(parts[0])) return parts.map(elementName).join('.')
  const namespace = field(name, 'namespace')
  const own = field(name, 'name')
  return isNode(namespace) ? `${elementName(namespace)}:${elementName(own)}` : `${own ?? ''}`
}

function attributeName(attribute: AnyNode): string {
  return elementName(field(attribute, 'name'))
}

function propsOf(attributes: readonly AnyNode[], scope: Scope, reader: Reader): Props {
  const pairs = attributes.flatMap((attribute): [string, unknown][] => {
    const spread = field(attribute, 'argument')
    if (isNode(spread)) return Object.entries(readExpression(spread, scope, reader) ?? {})
    const value = field(attribute, 'value')
    const expression = field(value, 'expression') ?? value
    return [[attributeName(attribute), isNode(expression) ? readExpression(expression, scope, reader) : true]]
  })
  return Object.fromEntries(pairs)
}

/**
 * A tag with the props that HTML has, without its styles, which are the program's; nothing if values that the program
 * computes would be all that it shows.
 */
function tagHtml(name: string, props: Props, content: string): string {
  if (isHollow(name, props, content)) return ''
  const written = Object.entries(props).flatMap(([prop, value]) => {
    const isShown = SHOWN.has(typeof value) && value !== false && /^(?!v-)[\w-]+$/.test(prop) && !UNSEEN.has(prop)
    const text = value === true ? '' : escapeHtml(`${value}`)
    return isShown ? [` ${NAMES.get(prop) ?? prop.toLowerCase()}="${text}"`] : []
  })
  // A list of sections with headings is no list to readers.
  const element = LISTS.has(name) && /<h[1-6][\s>]/.test(content) ? 'div' : name
  const tag = `<${element}${written.join('')}>`
  return VOID_ELEMENTS.has(name) ? tag : `${tag}${content}</${element}>`
}

const LISTS = wordSet('ul ol li')

/** Whether an element shows nothing: a list or link without content, or a picture whose address has no name of a file. */
function isHollow(name: string, { id, src }: Props, content: string): boolean {
  if (name === 'img') return typeof src === 'string' && src.endsWith('/')
  return WITH_CONTENT.has(name) && id === undefined && content.trim() === ''
}

const WITH_CONTENT = wordSet('a li ul ol dl p figure')
const SHOWN = wordSet('string number boolean')
const UNSEEN = wordSet('key ref style')
const NAMES = wordTable([
  ['class', 'className'],
  ['for', 'htmlFor'],
])

/** A component of a package: a link, a picture, or the texts in its props, and its content. */
function foreignHtml(props: Props, content: string): string {
  const texts = Object.entries(props).flatMap(([name, text]) => {
    const element = TEXTS.get(name.toLowerCase())
    return element && typeof text === 'string' ? [`<${element}>${escapeHtml(text)}</${element}>`] : []
  })
  const { src, alt, href = field(props, 'to') } = props
  const shown = typeof src === 'string' ? tagHtml('img', { src, alt }, '') : ''
  const inner = [...texts, shown, content].join('')
  return typeof href === 'string' ? tagHtml('a', { href }, inner) : inner
}

/** The elements for props with texts. */
const TEXTS = wordTable([
  ['h2', 'title heading headline pagetitle'],
  ['p', 'subtitle lead description pagesubtitle text body caption content'],
])
