import type { Problem } from '#brand/finding.ts'
import { isPlaceholder } from '#brand/placeholder.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { type Failed, failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf, quote } from '#platform/base/text.ts'

/** Reads a YAML node as a value of one kind. The problem is the end of a sentence, which `withSubject` completes. */
export type Reader<Value> = (node: YamlNode) => Result<Value, Problem>

/** Reads a value, and makes another one from it. */
export function readAnd<Written, Value>(
  read: Reader<Written>,
  next: (written: Written, node: YamlNode) => Result<Value, Problem>,
): Reader<Value> {
  return node => {
    const written = read(node)
    return written.ok ? next(written.value, node) : written
  }
}

/** Reads all items of a list; its problem is the first one of an item. */
export function readItems<Value>(items: readonly YamlNode[], read: Reader<Value>): Result<Value[], Problem> {
  const values: Value[] = []
  for (const item of items) {
    const value = read(item)
    if (!value.ok) return failed(withSubject('has an entry that', value))
    values.push(value.value)
  }
  return ok(values)
}

/** The text of a node; empty for a node of another kind. */
export function textOf(node: YamlNode | undefined): string {
  return node?.kind === 'text' ? node.text : ''
}

/** The problem with a node of the wrong kind. `fix` says what to write instead; empty nodes have their own messages. */
export function refuse(node: YamlNode, fix: string): Failed<Problem> {
  if (node.kind === 'text') return invalid(node, `is ${quote(node.text)}; ${fix}`)
  if (node.kind !== 'empty') return invalid(node, `is a ${node.kind}; ${fix}`)
  if (node.comment === undefined) return invalid(node, 'has no value; write one, or remove it')
  const message = `is followed by # without quotes, which YAML reads as a comment; write ${quote(node.comment)}`
  return failed({ rule: 'value-unquoted', line: node.line, message })
}

/** The problem with a value in curly quotes. They belong to the value, unlike straight ones. */
export function inCurlyQuotes(text: string): string | undefined {
  const [, inside] = groupsOf(CURLY_QUOTED, text.trim())
  return inside && `is in curly quotes, which belong to the value; write straight quotes, as in ${quote(inside)}`
}

const CURLY_QUOTED = /^[“”„«»‘’‚]\s*(?!\s)((?:.*\S)?)\s*[“”„«»‘’"']$/su

/** Prepends the subject to the message of a problem. */
export function withSubject(subject: string, { problem }: Failed<Problem>): Problem {
  return { ...problem, message: `${subject} ${problem.message}` }
}

/** The problem with a value of the wrong form. */
export function invalid(node: Pick<YamlNode, 'line'>, message: string): Failed<Problem> {
  return failed({ rule: 'value-invalid', line: node.line, message })
}

/** Reads a number, a colour or an ink: a word for no value is left out with a warning. */
export function orPlaceholder<Value>(read: Reader<Value>): Reader<Value> {
  return node => {
    const text = textOf(node)
    if (!isPlaceholder(text)) return read(node)
    const message = `is ${quote(text)}, which is no value; remove it`
    return failed({ rule: 'value-placeholder', line: node.line, message })
  }
}
