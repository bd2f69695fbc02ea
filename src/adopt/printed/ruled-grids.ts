import type { Box } from '#formats/pdf/document.ts'
import type { Shape } from '#formats/pdf/page.ts'
import { distance, isBetween, itemsIn, runsOf } from './boxes.ts'
import { type Line, splitLine } from './lines.ts'

/** A cell of a table, with its column from 0 and how many columns and rows it reaches over. */
export type Cell = Box & { lines: Line[]; column: number; columns: number; rows: number }

/** The lines of which no part is in a cell. */
export function linesOutside(grid: readonly (readonly Cell[])[], lines: readonly Line[]): Line[] {
  const parts = Map.groupBy(
    grid.flat().flatMap(cell => cell.lines),
    ({ base }) => base,
  )
  const isPart = (line: Line) => (part: Line) => part.left > line.left - 0.1 && part.right < line.right + 0.1
  return lines.filter(line => !parts.get(line.base)?.some(isPart(line)))
}

/** A line that is drawn: level or upright, at a place across its direction, from one end to the other. */
type Rule = Box & { isLevel: boolean; at: number; from: number; to: number }

/** The cells between rules, by row: rules that touch are one grid, and a cell reaches over others where no rule is. */
export function ruledGrids(shapes: readonly Shape[], lines: readonly Line[]): Cell[][][] {
  const rules = shapes.flatMap(rulesOf)
  if (rules.length > MAX_RULES) return []
  return touchingGroups(rules).flatMap(group => {
    const [columnEdges, rowEdges] = [edgesOf(group, false), edgesOf(group, true)]
    const size = (columnEdges.length - 1) * (rowEdges.length - 1)
    const isTable = columnEdges.length > 2 && rowEdges.length > 2 && size < MAX_CELLS
    return isTable ? [cellsBetween(group, columnEdges, rowEdges, lines)] : []
  })
}

/** A page with more of them is a drawing. */
const MAX_RULES = 2000
const MAX_CELLS = 2000
/** In points, also between rules that touch. */
const MAX_THICKNESS = 3

/** The rules that a shape is: a thin one itself, and the sides of a frame. */
function rulesOf({ kind, isPlain, fill, left, top, right, bottom }: Shape): Rule[] {
  const level = (at: number) => ({ left, right, top: at, bottom: at, isLevel: true, at, from: left, to: right })
  const upright = (at: number) => ({ top, bottom, left: at, right: at, isLevel: false, at, from: top, to: bottom })
  const isThin = [right - left, bottom - top].map(side => side < MAX_THICKNESS)
  if (kind === 'picture' || isThin.every(Boolean)) return []
  if (isThin[1]) return [level((top + bottom) / 2)]
  if (isThin[0]) return [upright((left + right) / 2)]
  return isPlain && fill === undefined ? [level(top), level(bottom), upright(left), upright(right)] : []
}

function touchingGroups(rules: readonly Rule[]): Rule[][] {
  let groups: Rule[][] = []
  for (const rule of rules) {
    const touching = new Set(groups.filter(group => group.some(other => distance(other, rule) < MAX_THICKNESS)))
    groups = [...groups.filter(group => !touching.has(group)), [...[...touching].flat(), rule]]
  }
  return groups
}

/** The places of edges between columns, or rows: those of rules, and the ends of rules in the other direction. */
function edgesOf(rules: readonly Rule[], isLevel: boolean): number[] {
  const places = rules.flatMap(rule => (rule.isLevel === isLevel ? [rule.at] : [rule.from, rule.to]))
  const sorted = places.sort((a, b) => a - b)
  return runsOf(sorted, ([first], at) => isNear(at, first)).map(([first]) => first)
}

function cellsBetween(rules: readonly Rule[], xs: readonly number[], ys: readonly number[], lines: readonly Line[]) {
  const isDrawn = (isLevel: boolean, at: number, across: number) =>
    rules.some(rule => rule.isLevel === isLevel && isNear(rule.at, at) && isBetween(across, rule.from, rule.to))
  const parts = lines.flatMap(line => {
    const middle = (line.top + line.bottom) / 2
    return splitLine(
      line,
      xs.filter(x => isDrawn(false, x, middle)),
    )
  })
  const taken = new Set<string>()
  return pairs(ys).map(([top, bottom], row) =>
    pairs(xs).flatMap(([left, right], column) => {
      if (taken.has(`${row} ${column}`)) return []
      const columns = reach(xs, column, x => isDrawn(false, x, (top + bottom) / 2))
      const rows = reach(ys, row, y => isDrawn(true, y, (left + right) / 2))
      for (const [down] of pairs(ys.slice(0, rows + 1)).entries())
        for (const [over] of pairs(xs.slice(0, columns + 1)).entries()) taken.add(`${row + down} ${column + over}`)
      const box = { left, top, right: xs[column + columns] ?? right, bottom: ys[row + rows] ?? bottom }
      return [{ ...box, lines: itemsIn(parts, box), column, columns, rows }]
    }),
  )
}

/** Each place with the next one. */
function pairs(places: readonly number[]): [number, number][] {
  return places.slice(1).map((place, at) => [places[at] ?? place, place])
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < 2 * MAX_THICKNESS
}

/** The number of columns or rows that a cell reaches over: up to the next edge that is drawn. */
function reach(edges: readonly number[], from: number, isDrawn: (at: number) => boolean): number {
  const next = edges.slice(from + 1, -1).findIndex(isDrawn)
  return next === -1 ? edges.length - 1 - from : next + 1
}
