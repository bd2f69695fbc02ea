import type { Problem, RuleId } from '#brand/finding.ts'
import { slug } from '#brand/ids.ts'
import { parseYaml, type YamlNode, type YamlProblem } from '#formats/yaml/parse-yaml.ts'

/**
 * Reads one YAML document of plain strings, lists and mappings. If it cannot be read, `root` is absent and the problems
 * say why.
 *
 * @param firstLine the line of the file on which the document begins
 */
export function readYaml(source: string, firstLine = 1): { root?: YamlNode; problems: Problem[] } {
  const read = parseYaml(source, firstLine)
  return { ...read, problems: read.problems.map(toProblem) }
}

/** As a name, a value that is cut breaks the style ids with and without the part cut off, and may take another's id. */
function toProblem({ kind, line, message, cut }: YamlProblem): Problem {
  const problem = { rule: RULES[kind], line, message }
  if (cut === undefined) return problem
  const read = slug(cut.read)
  return { ...problem, breaks: { paths: [], ids: [read, slug(cut.meant), takenId(read)] } }
}

const RULES: Readonly<Record<YamlProblem['kind'], RuleId>> = {
  'too-large': 'too-large',
  alias: 'yaml-alias',
  depth: 'yaml-depth',
  syntax: 'yaml-syntax',
  'duplicate-key': 'yaml-duplicate-key',
  'value-unquoted': 'value-unquoted',
  'value-cut': 'value-cut',
}

/** Stands for the id of a style that another has, too, among the ids that a problem breaks. */
export function takenId(id: string): string {
  return `=${id}`
}
