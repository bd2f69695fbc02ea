import { type TemplateTag, templateTags } from '#formats/markdown/template-tags.ts'
import { type Edit, wordSet } from '#platform/base/text.ts'
import { lineBefore, readTag } from './markup.ts'

type Parameters = ReadonlyMap<string, string>

/**
 * Decides the branches of an included text by its parameters, as in `{% if include.title %}`: the one that is taken stays
 * without its tags. Branches with other conditions stay as they are.
 */
export function decideBranches(text: string, parameters: Parameters): Edit[] {
  const edits: Edit[] = []
  const open: Clause[][] = []
  for (const tag of templateTags(text)) {
    const { name, isEnd, inner } = readTag(text.slice(tag.start, tag.end))
    const isTaken = CLAUSES.get(name)
    if (isTaken === undefined) continue
    if (OPENING.has(name) && !isEnd) open.push([])
    open.at(-1)?.push({ ...tag, isTaken: isEnd || isTaken(inner, parameters) })
    if (isEnd) edits.push(...choose(open.pop() ?? [], text))
  }
  return edits
}

/** A tag before a branch, and whether this is taken if none above it is; the tag that ends all branches is as well. */
type Clause = TemplateTag & { isTaken: boolean | undefined }

/** Whether the branch after a tag is taken, by the name of that; undefined if its condition is not about parameters. */
const CLAUSES = new Map<string, (tag: string, parameters: Parameters) => boolean | undefined>([
  ['if', holds],
  ['elsif', holds],
  ['unless', fails],
  ['else', () => true],
  ['case', () => undefined],
  ['for', () => undefined],
])
const OPENING = wordSet('if unless case for')

function holds(tag: string, parameters: Parameters): boolean | undefined {
  const [condition, key = '', sign = '', , value] = CONDITION.exec(tag) ?? []
  if (condition === undefined) return undefined
  const given = parameters.get(key)
  return { '': given !== undefined, '==': given === value, '!=': given !== value }[sign]
}

function fails(tag: string, parameters: Parameters): boolean | undefined {
  const isTrue = holds(tag, parameters)
  return isTrue === undefined ? undefined : !isTrue
}

const CONDITION = /^\w+\s{1,9}include\.([\w-]+)\s{0,9}(?:([!=]=)\s{0,9}(["'])(.*?)\3)?$/

/** Removes the tags of branches and the text of those that are not taken; nothing if it is unknown which one is. */
function choose(clauses: readonly Clause[], text: string): Edit[] {
  const taken = clauses.findIndex(({ isTaken }) => isTaken !== false)
  if (clauses[taken]?.isTaken === undefined) return []
  const parts = [clauses.slice(0, taken + 1), clauses.slice(taken + 1)].filter(({ length }) => length > 0)
  return parts.map(part =>
    lineOrPart(Math.min(...part.map(({ start }) => start)), Math.max(...part.map(({ end }) => end)), text),
  )
}

/** Removes a part of a text, with its line if that would be empty: it would end HTML in Markdown. */
function lineOrPart(start: number, end: number, text: string): Edit {
  const before = lineBefore(text, start)
  REST.lastIndex = end
  const isAlone = before.trim() === '' && REST.test(text)
  return isAlone ? { start: start - before.length, end: REST.lastIndex, text: '' } : { start, end, text: '' }
}

const REST = /[ \t]*\n/y
