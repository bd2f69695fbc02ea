import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import type { YamlNode } from './yaml.ts'

/** What a node of YAML is as a value; or a problem that says why it is none, whose message is the end of a sentence. */
export type Reading<Value> = { value: Value } | { problem: Problem }

/** Reads a node as one kind of value. */
export type Reader<Value> = (node: YamlNode) => Reading<Value>

/** The problem on a node that is not what its place takes. `fix` says what to write; an empty node has its own. */
export function refuse(node: YamlNode, fix: string): { problem: Problem } {
  if (node.kind === 'text') return invalid(node, `is ${quote(node.text)}; ${fix}`)
  if (node.kind !== 'empty') return invalid(node, `is a ${node.kind}; ${fix}`)
  if (node.comment === undefined) return invalid(node, 'has no value; write one, or remove it')
  const message = `is followed by # without quotes, which YAML reads as a comment; write ${quote(node.comment)}`
  return { problem: { rule: 'value-unquoted', line: node.line, message } }
}

/** A whole problem: what it is about, then what is wrong with that. */
export function about(subject: string, { problem }: { problem: Problem }): Problem {
  return { ...problem, message: `${subject} ${problem.message}` }
}

/** The problem that a node breaks the form of its place. */
export function invalid(node: YamlNode, message: string): { problem: Problem } {
  return { problem: { rule: 'value-invalid', line: node.line, message } }
}
