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

/**
 * Converts a problem of the parser. If YAML cut a name, as `Red #2` to `Red`, it breaks the style ids of both, and may take
 * another's id. The reader of the file adds the path.
 */
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

/** Stands for an id that two styles have, among the ids that a problem breaks or misses. Is not a valid id itself. */
export function takenId(id: string): string {
  return `=${id}`
}
