import { type BrandFile, filename } from '#brand/file.ts'
import { cssString } from '#delivery/export/style-sheets/css-text.ts'
import type { FontAxis } from '#formats/font/font-facts.ts'
import { nameOfWeight } from '#formats/font/font-weight.ts'
import { type Html, html, type Word } from '../../../html.ts'
import type { Words } from '../../../words/words.ts'
import { variableText } from '../font-sample.ts'
import { axisClass, type Cut, faceClass, familyClass, type ShownFamily, weightClass } from './shown-families.ts'

/** Each variable font of a family in its own row, by the hundred, then the other fonts in a row, each with its files. */
export function weightList(words: Words, family: ShownFamily, addressOf: (file: BrandFile) => string): Html[] {
  const { variable = [], single = [] } = Object.groupBy(family.cuts, cut => (isVariable(cut) ? 'variable' : 'single'))
  const rows = [...variable.map(cut => [cut]), ...(single.length > 0 ? [single] : [])]
  return rows.map(cuts => {
    const variableLines = cuts.filter(isVariable).map(cut => variableLine(words, cut, addressOf))
    const items = cuts.map(cut => cutItems(words, family, cut, addressOf))
    return html`${variableLines}<ul class="weights">
${items}</ul>
`
  })
}

/** The items of a cut, one for each of its lines. Only that of a single font has its files: see `variableLine`. */
function cutItems(words: Words, family: ShownFamily, cut: Cut, addressOf: (file: BrandFile) => string): Html[] {
  return lines(words, family, cut).map(
    (line, at) => html`<li><span class="${line.className}">${line.name}</span>
<span class="quiet">${line.about}</span>${at === 0 && !isVariable(cut) && files(cut, addressOf)}</li>\n`,
  )
}

function isVariable({ weights: [min, max] }: Cut): boolean {
  return min < max
}

/** The weights and the files of a variable font. */
function variableLine(words: Words, cut: Cut, addressOf: (file: BrandFile) => string): Html {
  return html`<p class="quiet">${variableText(words, cut.weights)}${files(cut, addressOf)}</p>\n`
}

type Line = { className: string; name: string; about: string }

/** The lines of a cut: one, or for a variable font one for each weight, such as `Bold` with `700`. */
function lines({ type }: Words, family: ShownFamily, { first, wanted, weights, isMatched }: Cut): Line[] {
  const [min, max] = weights
  const isSlanted = wanted.style === 'italic'
  const { style = 'normal', subFamily = family.name } = first.metadata
  const about = (weight: number) => (style === 'normal' ? String(weight) : `${weight} ${type.slants[style]}`)
  if (min === max) {
    const className = isMatched ? classOf(family.number, wanted.weight, isSlanted) : faceClass(first)
    return [{ className, name: subFamily, about: about(wanted.weight) }]
  }
  return weightSteps(min, max).map(weight => {
    const name = `${nameOfWeight(weight) ?? weight}${isSlanted ? ' Italic' : ''}`
    return { className: classOf(family.number, weight, isSlanted), name, about: about(weight) }
  })
}

function classOf(family: number, weight: number, isSlanted: boolean): string {
  return `${familyClass(family)} ${weightClass(weight)}${isSlanted ? ' slanted' : ''}`
}

/** The multiples of 100 between two weights, or both weights if there are none. */
export function weightSteps(min: number, max: number): number[] {
  const all = Array.from({ length: 9 }, (_, at) => 100 * (at + 1)).filter(weight => min <= weight && weight <= max)
  return all.length > 0 ? all : [min, max]
}

/** Links to the files of a font, only the first ones if it has very many parts. */
function files({ faces }: Cut, addressOf: (file: BrandFile) => string): Html[] {
  return faces
    .slice(0, MAX_FILES)
    .map(({ file }) => html` <a href="${addressOf(file)}" download>${filename(file.path)}</a>`)
}

const MAX_FILES = 8

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

/** The values of an axis that are shown, in ascending order: for `wdth` from 75 to 125 they are 75, 100 and 125. */
function axisStops({ min, max, default: usual }: FontAxis): number[] {
  const middle = max - min <= 1 ? [] : [Math.round((min + max) / 2)]
  return [...new Set([min, ...middle, usual, max])].sort((a, b) => a - b)
}

/** The step of a slider: fine enough for the range of its axis. */
function stepOf({ min, max }: FontAxis): number {
  return max - min <= 2 ? 0.01 : max - min <= 20 ? 0.1 : 1
}

function axisName({ type, specimen }: Words, { tag, name }: FontAxis): Word {
  return tag === 'wght' ? type.weightLabel : (new Map(Object.entries(specimen.axes)).get(tag) ?? name ?? tag)
}
