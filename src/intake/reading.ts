import type { Remark } from '../brand/finding.ts'
import { quote } from '../brand/quote.ts'
import type { YamlNode } from './yaml.ts'

/** What a node of YAML is as a value; or a remark that says why it is none, whose message is the end of a sentence. */
export type Reading<Value> = { value: Value } | { remark: Remark }

/** Reads a node as one kind of value. */
export type Reader<Value> = (node: YamlNode) => Reading<Value>

/** The remark on a node that is not what its place takes. `fix` says what to write; an empty node has its own. */
export function refuse(node: YamlNode, fix: string): { remark: Remark } {
  if (node.kind === 'text') return invalid(node, `is ${quote(node.text)}; ${fix}`)
  if (node.kind !== 'empty') return invalid(node, `is a ${node.kind}; ${fix}`)
  if (node.comment === undefined) return invalid(node, 'has no value; write one, or remove it')
  const message = `is followed by # without quotes, which YAML reads as a comment; write ${quote(node.comment)}`
  return { remark: { rule: 'value-unquoted', line: node.line, message } }
}

/** A whole remark: what it is about, then what is wrong with that. */
export function about(subject: string, { remark }: { remark: Remark }): Remark {
  return { ...remark, message: `${subject} ${remark.message}` }
}

/** The remark that a node breaks the form of its place. */
export function invalid(node: YamlNode, message: string): { remark: Remark } {
  return { remark: { rule: 'value-invalid', line: node.line, message } }
}
