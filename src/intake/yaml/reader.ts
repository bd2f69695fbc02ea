import { type Failed, failed, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import type { YamlNode } from './yaml.ts'

/** Reads a node of YAML as one kind of value. The message of a problem is the end of a sentence: `about` begins it. */
export type Reader<Value> = (node: YamlNode) => Result<Value, Problem>

/** The problem with a node that is not what its place takes. `fix` says what to write; an empty node has its own. */
export function refuse(node: YamlNode, fix: string): Failed<Problem> {
  if (node.kind === 'text') return invalid(node, `is ${quote(node.text)}; ${fix}`)
  if (node.kind !== 'empty') return invalid(node, `is a ${node.kind}; ${fix}`)
  if (node.comment === undefined) return invalid(node, 'has no value; write one, or remove it')
  const message = `is followed by # without quotes, which YAML reads as a comment; write ${quote(node.comment)}`
  return failed({ rule: 'value-unquoted', line: node.line, message })
}

/** The problem as a whole sentence: what it is about, then what is wrong with that. */
export function about(subject: string, { problem }: Failed<Problem>): Problem {
  return { ...problem, message: `${subject} ${problem.message}` }
}

/** The problem that a node breaks the form of its place. */
export function invalid(node: YamlNode, message: string): Failed<Problem> {
  return failed({ rule: 'value-invalid', line: node.line, message })
}
