import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Problem } from '#brand/finding.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import type { Words } from '#site/words/words.ts'
import { ENTRIES, FOLDERS } from '../formats/field.ts'
import { nameIn } from './form-values.ts'
import type { Target } from './target.ts'

/** The problems of a text at the fields of its form; those without a field are in `problem`, with their lines. */
export function fieldsOfProblems(
  { edit }: Words,
  { kind }: Target,
  text: string,
  found: readonly Problem[],
): { problems: ReadonlyMap<string, string>; problem?: string } {
  const { yaml = '', yamlLine = 2 } = kind === 'page' ? splitFrontMatter(text) : { yaml: text, yamlLine: 1 }
  const names = namesByLine(yaml, kind === 'files', yamlLine)
  const problems = new Map<string, string>()
  const others: string[] = []
  for (const { line, message } of found) {
    const name = line === null ? undefined : names.get(line)
    if (name === undefined) others.push(line === null ? message : `${edit.line({ line, problem: message })}`)
    else problems.set(name, message)
  }
  return { problems, ...(others.length > 0 && { problem: others.join(' ') }) }
}

/** The names of the fields whose values begin on the lines of YAML. */
function namesByLine(yaml: string, isFiles: boolean, firstLine: number): ReadonlyMap<number, string> {
  const lines = new LineCounter()
  const { contents } = parseDocument(yaml, { lineCounter: lines, uniqueKeys: false })
  const names = new Map<number, string>()
  const walk = (node: unknown, name: string) => {
    if (isSeq(node)) for (const [at, item] of node.items.entries()) walk(item, nameIn(name, at))
    if (!isMap(node)) return
    for (const pair of node.items) {
      if (!isPair(pair) || !isScalar(pair.key)) continue
      const own = nameIn(name, `${pair.key.value}`)
      const line = lines.linePos(pair.key.range?.[0] ?? 0).line + firstLine - 1
      if (!isMap(pair.value) && !names.has(line)) names.set(line, own)
      walk(pair.value, own)
    }
  }
  if (isSeq(contents)) walk(contents, nameIn('', ENTRIES))
  else if (isFiles && isMap(contents))
    for (const [at, pair] of contents.items.filter(each => `${each.key}` !== FOLDERS).entries())
      walk(pair.value, nameIn(nameIn('', ENTRIES), at))
  else walk(contents, '')
  return names
}
