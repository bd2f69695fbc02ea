import { isCollection, isNode, isPair, type YAMLMap, type YAMLSeq } from 'yaml'

export type Collection = YAMLMap | YAMLSeq

type Span = { start: number; end: number }

/** The lines or characters of an entry of a collection, from its dash or key on, with the comments that belong to it. */
export type Place = Span & {
  /** The start of the comment directly above it. */
  lead: number
  /** The part that its removal takes if an entry remains above it, and otherwise. */
  cut: Span
  cutFirst: Span
}

/** The places of the entries of a collection, and what separates a new entry from the others. */
export function placesOf(text: string, node: Collection): { places: Place[]; separator: string; column: number } {
  if (node.flow) return { places: flowPlaces(text, node), separator: ', ', column: 0 }
  const start = node.range?.[0] ?? 0
  const column = start - text.lastIndexOf('\n', start - 1) - 1
  const line = `\n${' '.repeat(column)}`
  const places = blockPlaces(text, node, line)
  const isSpaced =
    places.length > 1 && places.slice(1).every(({ lead, cut }) => text.slice(cut.start, lead).split('\n').length > 2)
  return { places, separator: isSpaced ? `\n${line}` : line, column }
}

function flowPlaces(text: string, { items, range }: Collection): Place[] {
  const spans = items.map(item => ({ start: startOf(item), end: endOf(text, item) }))
  const gapAfter = (at: number) => text.slice(spans[at]?.end, spans[at + 1]?.start ?? range?.[1])
  const hasComment = spans.some((_, at) => gapAfter(at).includes('#'))
  return spans.map(({ start, end }, at) => {
    const comma = /^\s*,/.exec(gapAfter(at))?.[0].length ?? 0
    const own = { start, end: end + comma }
    const [cut, cutFirst] = [
      { start: spans[at - 1]?.end ?? start, end },
      { start, end: spans[at + 1]?.start ?? end },
    ]
    return { start, end, lead: start, ...(hasComment ? { cut: own, cutFirst: own } : { cut, cutFirst }) }
  })
}

/** The comments of an entry are directly above it, except above the first, or below it and indented deeper. */
function blockPlaces(text: string, node: Collection, line: string): Place[] {
  const next = new RegExp(`${line}(?=[^\\s#])`, 'g')
  const above = new RegExp(`(?:(?<=${line})#[^\\n]*${line})*$`)
  const below = new RegExp(`[^\\n]*(?:${line} +#[^\\n]*)*`, 'y')
  const blank = /\s*/y
  let before: number | undefined
  return node.items.map(item => {
    next.lastIndex = before ?? 0
    const start = before !== undefined && next.test(text) ? next.lastIndex : (node.range?.[0] ?? 0)
    const lead = start - (before === undefined ? 0 : (above.exec(text.slice(before, start))?.[0].length ?? 0))
    below.lastIndex = endOf(text, item)
    below.test(text)
    const end = below.lastIndex
    blank.lastIndex = end
    blank.test(text)
    before = end
    return {
      start,
      end,
      lead,
      cut: { start: text.slice(0, lead).trimEnd().length, end },
      cutFirst: { start: lead, end: blank.lastIndex },
    }
  })
}

/** The end of the last value of a node or pair, without blank space. */
function endOf(text: string, item: unknown): number {
  const node = isPair(item) ? (item.value ?? item.key) : item
  if (isCollection(node) && node.items.length > 0 && !node.flow) return endOf(text, node.items.at(-1))
  const [start = 0, end = start] = (isNode(node) && node.range) || []
  return Math.max(start, text.slice(0, end).trimEnd().length)
}

function startOf(item: unknown): number {
  const node = isPair(item) ? item.key : item
  return (isNode(node) && node.range?.[0]) || 0
}
