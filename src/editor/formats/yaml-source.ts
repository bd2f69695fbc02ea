import { Composer, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml'
import { failed, ok, type Result } from '../../base/result.ts'
import { readTokens } from '../../intake/yaml/tokens.ts'
import { readYaml } from '../../intake/yaml/yaml.ts'
import { lineEndOf } from './lines.ts'

const MAX_LENGTH = 4 * 1024 * 1024

/** YAML and its nodes, whose ranges are offsets in the text. New lines end with `eol`. */
export type YamlSource = { text: string; eol: string; root: Node }
export type Node = ParsedNode | null
export type Collection = YAMLMap.Parsed | YAMLSeq.Parsed

/**
 * Parses YAML without a byte order mark for editing, if our reader accepts it. The problem is for people.
 *
 * @param firstLine the line of the file on which the text begins
 */
export function parseYaml(text: string, eol = lineEndOf(text), firstLine = 1): Result<YamlSource, string> {
  if (text.length > MAX_LENGTH) return failed('it is larger than 4 MiB; split it')
  const problem = readYaml(text, firstLine).problems.find(({ rule }) => rule !== 'value-cut')
  if (problem) return failed(`line ${problem.line}: ${problem.message}`)
  // The parser takes CRLF as a line end, but not CR, which our reader accepts.
  const read = readTokens(text.replace(/\r(?!\n)/g, '\n'))
  if (!read.ok) return failed(read.problem.message)
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, keepSourceTokens: true, logLevel: 'silent' })
  const [document] = composer.compose(read.value.tokens, true, text.length)
  return ok({ text, eol, root: document?.contents ?? null })
}

/** A scalar as our reader takes it, as written if it has no quotes; undefined for other nodes and for null. */
export function scalarText(node: Node | undefined): string | undefined {
  if (!isScalar(node)) return undefined
  if (node.type === 'PLAIN') return /^(?:~|null|Null|NULL)?$/.test(node.source) ? undefined : node.source
  return isBlockScalar(node) ? node.source.trimEnd() : node.source
}

export function isBlockScalar(node: Node): boolean {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')
}

/** Whether nothing is written where the node would be. */
export function isEmptyNode(node: Node | undefined): boolean {
  return !node || (isScalar(node) && node.type === 'PLAIN' && node.source === '')
}

/** A mapping or a sequence with at least one entry. */
export function isFilled(node: Node | undefined): node is Collection {
  return (isMap(node) || isSeq(node)) && node.items.length > 0
}

/** The key of a pair; our reader only accepts scalars. */
export function keyText(key: ParsedNode): string {
  return isScalar(key) ? key.source : ''
}
