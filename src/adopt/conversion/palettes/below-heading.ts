import { colorKeyOf, valuesIn } from '#brand/styles/notation.ts'
import { anyOf, groupsOf, wordsIn } from '#platform/base/text.ts'
import type { Grid } from '../../pages/grid.ts'

/**
 * A table with what the heading above it says: a part of a palette, such as *Primary colours*, is the group of its colours,
 * and a scale names its steps.
 */
export function belowHeading(grid: Grid, heading = ''): Grid {
  const { header, rows } = withScaleNames(grid, heading)
  const isGrouped = header.some(label => colorKeyOf(label) === 'group')
  if (isGrouped || !PARTS.test(heading)) return { header, rows }
  return { header: [...header, 'Group'], rows: rows.map(row => [...row, heading]) }
}

/** Short headings that begin with a word for a part of a palette. */
const PART =
  wordsIn(`prima, primä, primá, princip, main, haupt, huvud, hoved, hoofd, основн, 主色, second, secund, sekund,
  sekundär, accent, akzent, acent, neutral, neutr`)
const PARTS = new RegExp(`^${anyOf(PART)}.{0,40}$`, 'iu')

/**
 * The table of the steps of a scale, such as 50 to 900, with names and a group: `Sea 50` in *Sea* below the heading
 * *Sea — all steps*. One without a heading, or with another column that may be names, is unchanged.
 */
function withScaleNames({ header, rows }: Grid, heading: string): Grid {
  const columns = header.map((label, at) => ({ label, at, texts: rows.map(({ [at]: text = '' }) => text) }))
  const open = columns.filter(({ label }) => MAY_NAME.has(colorKeyOf(label)))
  const steps = open.find(({ texts }) => areSteps(texts))
  const [group = ''] = heading.split(BEHIND_NAME)
  if (steps === undefined || group === '' || open.some(({ texts }) => mayBeNames(texts))) return { header, rows }
  const names = steps.texts.map(text => `${group} ${parseStep(text)}`)
  const named = rows.map((row, at) => row.toSpliced(steps.at, 1, ...names.slice(at, at + 1)))
  const filled = named.map(row => row.map(cell => cell.replace(DASH, '')))
  return { header: [...header.with(steps.at, 'Name'), 'Group'], rows: filled.map(row => [...row, group]) }
}

/** A cell without a value. */
export const DASH = /^[-–—]+$/
/** The fields that a label of names or steps may name, and none. */
const MAY_NAME: ReadonlySet<string | undefined> = new Set(['name', undefined])
/** The start of a remark in a heading: `Sea — all steps`, `Sea (50–900)`. */
const BEHIND_NAME = /\s(?=[—–(])/

/** Whether cells are different steps, which are multiples of five. */
function areSteps(texts: readonly string[]): boolean {
  const steps = new Set(texts.map(parseStep))
  steps.delete('')
  return steps.size === Math.max(texts.length, MIN_STEPS)
}

const MIN_STEPS = 3

/** The step in a cell, also with a sign behind it: `500 ★`, `90%`; empty for other cells. */
function parseStep(text: string): string {
  const [step = ''] = groupsOf(STEP, text)
  return step
}

const STEP = /^\d{0,3}[05]%?(?=[^\p{L}\d]*$)/u

/** Whether each cell has other words: a column of uses repeats them, or has dashes. */
function mayBeNames(texts: readonly string[]): boolean {
  const words = new Set(texts.filter(text => /\p{L}{2}/u.test(text)).filter(text => valuesIn(text).size === 0))
  return words.size === texts.length
}
