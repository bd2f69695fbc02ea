import { groupsOf, wordSet } from '#platform/base/text.ts'

/** The props of a tag that say something: `:name="x"`, `{name}` and `name="a {b}"` as JSX writes them. */
export function plainProps(inner: string): string {
  const props: string[] = []
  let at = 0
  while (at < inner.length) {
    PROP.lastIndex = at
    const [start = '', name = '', equals = ''] = PROP.exec(inner) ?? []
    at += start.length
    const hasValue = name === '' || equals !== ''
    const end = hasValue ? valueEnd(inner, at) : at
    props.push(plainProp(name, inner.slice(at, end)))
    // A sign that begins no prop is left out.
    at = Math.max(end, at + Number(start === ''))
  }
  return props.map(prop => ` ${prop}`.trimEnd()).join('')
}

/** The sign before a prop, its name, and the sign before its value. */
const PROP = /\s*([^\s=/>{}"'`]*)(\s*=\s*)?/y

function valueEnd(text: string, start: number): number {
  const sign = text.charAt(start)
  if (sign === '{') return endOf(text, start + 1, '}') + 1
  const from = QUOTES.has(sign) ? start + 1 : start
  const end = QUOTES.has(sign) ? text.indexOf(sign, from) + 1 : from + text.slice(from).search(/\s/)
  return end > start ? end : text.length
}

/** The offset of the sign that ends a tag or an expression, outside of quotation marks and of other braces. */
export function endOf(text: string, start: number, end: '>' | '}'): number {
  let [depth, quote] = [0, '']
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at)
    const isQuoted = quote !== ''
    if (!isQuoted && depth === 0 && sign === end) return at
    if (!isQuoted) depth += DEPTHS.get(sign) ?? 0
    if (isQuoted) quote = sign === quote ? '' : quote
    else if (QUOTES.has(sign)) quote = sign
  }
  return text.length
}

const DEPTHS = new Map([
  ['{', 1],
  ['}', -1],
])
const QUOTES = new Set(['"', "'", '`'])

/** A prop as it is written: its value, and this without quotation marks. */
type Written = { name: string; value: string; text: string; isProgram: boolean }

function plainProp(written: string, value: string): string {
  const [, binding, name = ''] = groupsOf(NAME, written.replace('v-bind:', ':'))
  const [kind = ''] = name.split(':')
  const text = QUOTES.has(value.charAt(0)) ? value.slice(1, -1) : value
  const prop = { name, value, text, isProgram: binding === ':' || kind.startsWith('v-') }
  if (written === '') return value.startsWith('{') ? value.replace(SHORTHAND, '$1={$1}') : ''
  return LISTENERS.has(kind) ? '' : (FORMS.find(([applies]) => applies(prop))?.[1](prop) ?? '')
}

/** The name of a prop, whose value is a program after a colon. */
const NAME = /^(:?)([A-Za-z][\w-]*(?::[\w-]+)?)$/
const SHORTHAND = /^\{\s{0,9}(\w+)\s{0,9}\}$/
const LISTENERS = wordSet('on bind use v-on')

/** What props become; the first row that applies counts. */
const FORMS: readonly (readonly [applies: (prop: Written) => boolean, write: (prop: Written) => string])[] = [
  [({ name, value }) => name === '' || value === '', ({ name }) => name],
  [({ name }) => name === 'v-for', ({ name, text }) => `${name}={$each(${text.replace(LOOP, '$2, ($1) => 0')})}`],
  [({ isProgram }) => isProgram, ({ name, text }) => `${name}={${text}}`],
  [({ value }) => value.startsWith('{'), ({ name, value }) => `${name}=${value}`],
  [({ text }) => text.includes('{'), ({ name, text }) => `${name}={\`${text.replace(/\$?\{/g, '${')}\`}`],
  [({ value, text }) => value === text, ({ name, text }) => `${name}="${text}"`],
  [() => true, ({ name, value }) => `${name}=${value}`],
]

/** `(item, at) in items` */
const LOOP = /^\s{0,9}\(?([^()]{1,300}?)\)?\s{1,9}(?:in|of)\s{1,9}([\s\S]*)$/
