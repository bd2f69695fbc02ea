import { cssString } from '../../../../export/css/css-text.ts'
import type { FontAxis } from '../../../../fonts/font-facts.ts'
import { type Html, html, type Word } from '../../../html.ts'
import type { Words } from '../../../words/words.ts'
import type { ShownFamily } from './shown-families.ts'
import { axisClass, familyClass } from './specimen-classes.ts'

type Range = readonly [min: number, max: number, step: number, value: number]

/** A slider that sets a property of the editable line, or an axis of its font (`specimen.js`). */
export function slider(id: string, target: Html, label: Word, [min, max, step, value]: Range): Html {
  return html`<span><label>${label} <input type="range" min="${min}" max="${max}" step="${step}" value="${value}" ${target} aria-controls="${id}"></label> <span class="quiet">${value}</span></span>`
}

/** The size of the editable line, in px. */
export const SIZE = 48

/** Sliders for the weight and the other axes of a variable family. */
export function axisSliders(words: Words, { facts }: ShownFamily, id: string): Html[] {
  return axesOf(facts?.axes).map(axis => {
    const { tag, min, max, default: usual } = axis
    const isWeight = tag === 'wght'
    const start = Math.min(max, Math.max(min, { wght: 400, opsz: SIZE }[tag] ?? usual))
    const range = [min, max, stepOf(axis), start] as const
    return slider(id, isWeight ? html`data-sets="fontWeight"` : html`data-axis="${tag}"`, axisName(words, axis), range)
  })
}

/** The ends, the middle and the default of each axis except weight, in a row that needs no script. */
export function axisInstances(words: Words, { name, number, facts }: ShownFamily): Html | undefined {
  const axes = axesOf(facts?.axes).filter(({ tag }) => tag !== 'wght')
  if (axes.length === 0) return undefined
  const items = axes.flatMap(axis =>
    axisStops(axis).map(
      value => html`<li><span class="${familyClass(number)} ${axisClass(axis.tag, value)}" translate="no">${name}</span>
<span class="quiet">${axisName(words, axis)} ${value}</span></li>
`,
    ),
  )
  return html`<ul class="weights">\n${items}</ul>\n`
}

/** The rules for the instances of a family's axes. */
export function axisRules({ facts }: ShownFamily): string[] {
  return axesOf(facts?.axes).flatMap(axis =>
    axisStops(axis).map(
      value => `.${axisClass(axis.tag, value)}{font-variation-settings:${cssString(axis.tag)} ${value}}\n`,
    ),
  )
}

/** The axes that vary and that users may set. */
function axesOf(axes: readonly FontAxis[] = []): FontAxis[] {
  return axes.filter(({ tag, min, max, isHidden }) => TAG.test(tag) && min < max && !isHidden)
}

/** Other tags cannot be part of a class. */
const TAG = /^[a-z0-9]{4}$/i

function axisStops({ min, max, default: usual }: FontAxis): number[] {
  const middle = max - min <= 1 ? [] : [Math.round((min + max) / 2)]
  return [...new Set([min, ...middle, usual, max])].sort((a, b) => a - b)
}

function stepOf({ min, max }: FontAxis): number {
  return max - min <= 2 ? 0.01 : max - min <= 20 ? 0.1 : 1
}

function axisName({ type, specimen }: Words, { tag, name }: FontAxis): Word {
  return tag === 'wght' ? type.weightLabel : (new Map(Object.entries(specimen.axes)).get(tag) ?? name ?? tag)
}
