import { type Document, type Node, visit } from 'yaml'
import type { Problem } from '#brand/finding.ts'
import { parseYamlDocument } from '#formats/yaml/document.ts'
import { lineFinder } from '#formats/yaml/parse-yaml.ts'
import { joinWords, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { inEnglish } from '../fields.ts'
import type { AppliedForm } from './form-changes.ts'

/**
 * The problems of the new YAML of a form at its fields; those without a field are in `problem`, with their lines in the file,
 * where the YAML begins on `firstLine`. Problems at fields that the person touched are the cause of others.
 */
export function problemsAtFields(
  words: Words,
  applied: AppliedForm | undefined,
  { yaml, firstLine, found }: { yaml: string; firstLine: number; found: readonly Problem[] },
): { problems: ReadonlyMap<string, Word>; problem?: Word } {
  const problems = new Map<string, Word>()
  const others: Word[] = []
  if (found.length === 0) return { problems }
  const lineAt = lineFinder(yaml)
  /** The names of the fields by the lines of their values, the first field of a line. */
  const lines = new Map<number, string>()
  const nodesInText = nodesIn(parseYamlDocument(yaml))
  // The new YAML has the same nodes as its document, and their places in the text.
  for (const [at, node] of nodesIn(applied?.document).entries()) {
    const name = applied?.names.get(node)
    const range = nodesInText[at]?.range
    if (name === undefined || !range) continue
    const last = lineAt(Math.max(range[0], range[1] - 1))
    for (let line = lineAt(range[0]); line <= last; line++) if (!lines.has(line)) lines.set(line, name)
  }
  for (const { rule, line, message } of found) {
    const name = lines.get((line ?? 0) - firstLine + 1) ?? FIELDS[rule]
    if (name !== undefined) problems.set(name, inEnglish(words, message))
    else others.push(line === null ? inEnglish(words, message) : words.edit.line({ line, problem: message }))
  }
  const causes = new Map([...problems].filter(([name]) => applied?.touched.has(name)))
  if (causes.size > 0) return { problems: causes }
  return { problems, ...(others.length > 0 && { problem: joinWords(others, ' ') }) }
}

/** The fields of problems without a line. */
const FIELDS: Partial<Record<string, string>> = { 'id-taken': '/id' }

function nodesIn(document: Document | undefined): Node[] {
  const nodes: Node[] = []
  if (document) visit(document, { Node: (_, node) => void nodes.push(node) })
  return nodes
}
