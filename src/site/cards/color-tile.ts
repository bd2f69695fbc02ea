import type { Element } from 'hast'
import type { Color } from '../../brand/color.ts'
import { contrastOf, textColorOn } from '../../brand/styles/contrast.ts'
import type { Words } from '../words/words.ts'
import { element } from './element.ts'

/** What a tile shows besides the values of its colour. */
export type ColorTile = {
  words: Words
  color: Color
  /** Where its name leads. */
  href: string
  /** Its name here; that of the colour by default. */
  title?: string
  /** What is said of it here, before its use. */
  note?: string | undefined
  /** The id of its place on the page. */
  id?: string
  /** Whether its contrast to white and black is told. */
  hasContrast?: boolean
  /** The page of its contrast to other colours. */
  contrastPath?: string | undefined
}

/** A colour as an item of a list, `ul.tiles`, with its values set on it in black or white letters, each with a button to copy it. */
export function colorTile({
  words,
  color,
  href,
  title = color.name,
  note,
  id,
  hasContrast,
  contrastPath,
}: ColorTile): Element {
  const { hex, use } = color
  return element(
    'li',
    { id, className: [`${textColorOn(hex)}-letters`] },
    colorFill(hex),
    element('p', {}, element('a', { href }, title)),
    note ? element('p', { className: ['use'] }, note) : undefined,
    use !== undefined && element('p', { className: ['use'] }, use),
    element('dl', {}, valuesOf(words, color), hasContrast && contrastsOf(words, hex)),
    contrastPath !== undefined && element('a', { href: contrastPath }, words.colors.contrastOthers),
  )
}

/** A drawing that is one colour and nothing else; screen readers skip it. */
export function colorFill(hex: string): Element {
  return element('svg', { ariaHidden: 'true', fill: hex }, element('rect', {}))
}

function valuesOf(words: Words, color: Color): Element[] {
  return VALUES.flatMap(([key, label]) => {
    const value = color[key]
    if (value === undefined) return []
    const text = String(value)
    return [element('dt', {}, label), element('dd', {}, text, copyButton(words, text))]
  })
}

const VALUES = [
  ['hex', 'Hex'],
  ['rgb', 'RGB'],
  ['cmyk', 'CMYK'],
  ['pms', 'PMS'],
  ['pms2', 'PMS 2'],
  ['ral', 'RAL'],
] as const

function contrastsOf({ colors, number }: Words, hex: string): Element[] {
  const grounds = [
    [colors.onWhite, '#ffffff'],
    [colors.onBlack, '#000000'],
  ] as const
  return grounds.flatMap(([label, ground]) => {
    const { text, level } = contrastOf(hex, ground)
    return [
      element('dt', {}, label),
      element('dd', {}, `${number(Number(text), 2)} `, element('b', {}, colors.levels[level])),
    ]
  })
}

/** As `copyButton` of the library: it copies the text before it. */
function copyButton({ copy }: Words, what: string): Element {
  return element('button', { type: 'button', className: ['copy'], dataCopy: '', ariaLabel: copy.copy(what) })
}
