import type { Element } from 'hast'
import type { Color } from '../../brand/color.ts'
import { contrastOf, textColorOn } from '../../brand/styles/contrast.ts'
import type { Word } from '../html.ts'
import type { Words } from '../words/words.ts'
import { element } from './element.ts'

/** The content of a colour tile, in addition to the values of the colour. */
export type ColorTile = {
  words: Words
  color: Color
  /** The link of its name. */
  href: string
  /** Its name on this page; the name of the colour by default. */
  title?: string
  /** A note about it on this page, shown before its use. */
  note?: Word | undefined
  /** Its anchor on the page. */
  id?: string
  /** Whether to show its contrast to white and black. */
  hasContrast?: boolean
  /** The page with its contrast to other colours. */
  contrastPath?: string | undefined
}

/** A colour as an item of the list `ul.tiles`. Its values are in black or white letters, each with a copy button. */
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

/** An SVG filled with one colour; screen readers skip it. */
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

/** A button that copies the text before it, by script; `what` is its label for screen readers. */
function copyButton({ copy }: Words, what: string): Element {
  return element('button', { type: 'button', className: ['copy'], dataCopy: '', ariaLabel: `${copy.copy(what)}` })
}
