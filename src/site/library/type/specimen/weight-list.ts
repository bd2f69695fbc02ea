import { type BrandFile, filename } from '../../../../brand/file.ts'
import { nameOfWeight } from '../../../../brand/styles/font-weight.ts'
import { type Html, html } from '../../../html.ts'
import type { Words } from '../../../words/words.ts'
import type { Cut, ShownFamily } from './shown-families.ts'
import { faceClass, familyClass, weightClass } from './specimen-classes.ts'

/**
 * The fonts of a family in a row, each with its files. Each variable font has its own row, with an instance for each
 * hundred.
 */
export function weightList({ type }: Words, family: ShownFamily, addressOf: (file: BrandFile) => string): Html[] {
  const isVariable = family.cuts.some(({ weights: [min, max] }) => min < max)
  const rows = isVariable ? family.cuts.map(cut => [cut]) : [family.cuts]
  return rows.map(
    cuts => html`<ul class="weights">
${cuts.map(cut =>
  lines(type.slants, family, cut).map(
    (line, at) => html`<li><span class="${line.className}">${line.name}</span>
<span class="quiet">${line.about}</span>${at === 0 && files(cut, addressOf)}</li>\n`,
  ),
)}</ul>
`,
  )
}

type Line = { className: string; name: string; about: string }

function lines(
  slants: Words['type']['slants'],
  family: ShownFamily,
  { first, wanted, weights, isMatched }: Cut,
): Line[] {
  const [min, max] = weights
  const isSlanted = wanted.style === 'italic'
  const { style = 'normal', subFamily = family.name } = first.metadata
  const about = (weight: number) => (style === 'normal' ? String(weight) : `${weight} ${slants[style]}`)
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
