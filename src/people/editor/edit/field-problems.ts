import { type Document, type Node, visit } from 'yaml'
import type { Problem } from '#brand/finding.ts'
import { parseYamlDocument } from '#formats/yaml/document.ts'
import { lineFinder } from '#formats/yaml/parse-yaml.ts'
import { joinWords, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { inEnglish } from '../fields.ts'
import type { AppliedForm } from './form-changes.ts'

/**
 * The problems of the new YAML of a form, by the names of their fields; those without a field are in `problem`, with their
 * lines in the file, where the YAML begins on `firstLine`. If a problem is at a field that the person changed, only such
 * problems are told, since they are the cause of the others.
 */
export function problemsAtFields(
  words: Words,
  applied: AppliedForm | undefined,
  { yaml, firstLine, found }: { yaml: string; firstLine: number; found: readonly Problem[] },
): { problems: ReadonlyMap<string, Word>; problem?: Word } {
  const problems = new Map<string, Word>()
  const problemsElsewhere: Word[] = []
  if (found.length === 0) return { problems }
  const lineAt = lineFinder(yaml)
  /** The names of the fields by the lines of their values, the first field of a line. */
  const namesByLine = new Map<number, string>()
  const nodesInText = nodesIn(parseYamlDocument(yaml))
  // The changed document knows the fields of its nodes. Parsing its text gives the same nodes in the same order, with ranges.
  for (const [at, node] of nodesIn(applied?.document).entries()) {
    const name = applied?.names.get(node)
    const range = nodesInText[at]?.range
    if (name === undefined || !range) continue
    // A range is the start and the end of the value, of which the end is behind the last character.
    const lastLine = lineAt(Math.max(range[0], range[1] - 1))
    for (let line = lineAt(range[0]); line <= lastLine; line++) if (!namesByLine.has(line)) namesByLine.set(line, name)
  }
  for (const { rule, line, message } of found) {
    const name = namesByLine.get((line ?? 0) - firstLine + 1) ?? FIELDS[rule]
    if (name !== undefined) problems.set(name, inEnglish(words, message))
    else problemsElsewhere.push(line === null ? inEnglish(words, message) : words.edit.line({ line, problem: message }))
  }
  const causes = new Map([...problems].filter(([name]) => applied?.touched.has(name)))
  if (causes.size > 0) return { problems: causes }
  return { problems, ...(problemsElsewhere.length > 0 && { problem: joinWords(problemsElsewhere, ' ') }) }
}

/** The fields of problems without a line, by their rules. */
const FIELDS: Partial<Record<string, string>> = { 'id-taken': '/id' }

/** All nodes of a document, in the order of a walk. */
function nodesIn(document: Document | undefined): Node[] {
  const nodes: Node[] = []
  if (document) visit(document, { Node: (_, node) => void nodes.push(node) })
  return nodes
}
