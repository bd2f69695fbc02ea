import type { Element } from 'hast'
import { type Color, printValuesOf } from '#brand/color.ts'
import { textColorOn } from '#brand/styles/contrast.ts'
import { onDark } from '#brand/styles/dark-values.ts'
import { oklchOf } from '#brand/styles/oklch.ts'
import type { Word } from '../html.ts'
import type { Words } from '../words/words.ts'
import { element } from './element.ts'
import { breakPlaces, fitClasses, isLong, stepsOf } from './long-words.ts'

/** The content of a colour tile, in addition to the values of the colour. */
export type ColorTile = {
  words: Words
  color: Color
  /** The class of its letters: `themeOf(…).letterClass`. */
  letters: string
  href: string
  /** Its name on this page; the name of the colour by default. */
  title?: string
  /** A note about it on this page, shown before its use. */
  note?: Word | undefined
  /** Its anchor on the page. */
  id?: string
}

/** A colour as an item of the list `ul.tiles`. Each of its values has a copy button. */
export function colorTile({ words, color, letters, href, title, note, id }: ColorTile): Element {
  const { name, hex, use } = color
  const steps = stepsOf(title ?? name)
  return element(
    'li',
    { id, className: isLong(steps) ? [letters, 'long'] : [letters] },
    element('svg', { ariaHidden: 'true', fill: hex }, element('rect', {})),
    element(
      'div',
      {},
      element(
        'p',
        { className: ['tile-name', ...fitClasses(steps)] },
        element('a', { href }, breakPlaces(title ?? name)),
      ),
      note ? element('p', { className: ['use'] }, note) : undefined,
      use !== undefined && element('p', { className: ['use'] }, use),
    ),
    ...valueLists(words, colorValues(color)),
    color.dark !== undefined && darkHalf(words, onDark(color)),
  )
}

/** The half of a tile in the value of a colour on dark grounds, with that value. */
function darkHalf(words: Words, color: Color): Element {
  return element(
    'div',
    { className: ['on-dark', `${textColorOn(color.hex)}-letters`] },
    element('svg', { ariaHidden: 'true', fill: color.hex }, element('rect', {})),
    element('p', {}, words.fields.dark),
    ...valueLists(words, screenValues(color)),
  )
}

/** A small square in a CSS colour, for display before its name; screen readers skip it. */
export function colorChip(color: string): Element {
  const square = element('path', { d: 'M0 0h1v1H0z', fill: color })
  return element('svg', { className: ['chip'], viewBox: '0 0 1 1', ariaHidden: 'true' }, square)
}

/** Values of a colour, and below them its inks, of which there can be any number. */
function valueLists(words: Words, all: readonly ColorValue[]): Element[] {
  const itemOf = ({ kind, label, text, copied = '' }: ColorValue) => {
    const value = element('dd', {}, text, copyButton(words, copied || text, copied))
    return element('div', { className: [kind] }, element('dt', {}, label), value)
  }
  const values = element('dl', {}, all.filter(({ kind }) => kind !== 'inks').map(itemOf))
  const inks = all.filter(({ kind }) => kind === 'inks').map(itemOf)
  return inks.length > 0 ? [values, element('dl', { className: ['ink-list'] }, inks)] : [values]
}

/** A value of a colour as shown, and as copied if that differs. */
type ColorValue = { kind: string; label: string; text: string; copied?: string }

/** The values of a colour, in order. Print values come from the author. */
function colorValues(color: Color): ColorValue[] {
  const print = printValuesOf(color).map(({ key, label, value }) => ({ kind: key, label, text: `${value}` }))
  return [...screenValues(color), ...print]
}

function screenValues({ hex, rgb }: Color): ColorValue[] {
  return [
    { kind: 'hex', label: 'Hex', text: hex },
    { kind: 'rgb', label: 'RGB', text: rgb },
    { kind: 'oklch', label: 'OKLCH', ...oklchValue(hex) },
  ]
}

function oklchValue(hex: string): { text: string; copied: string } {
  const { lightness, chroma, hue } = oklchOf(hex)
  const isGrey = chroma < MIN_CHROMA
  const degrees = isGrey ? 0 : ((hue * 180) / Math.PI + 360) % 360
  const text = `${round(lightness * 100, 2)}% ${round(isGrey ? 0 : chroma, 4)} ${round(degrees, 2)}`
  return { text, copied: `oklch(${text})` }
}

/** A colour with less chroma has no hue. */
const MIN_CHROMA = 0.0005

/** With fewer digits, a value would often name a neighbouring colour. */
function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** A button that copies a value by script: `copied`, or the text before it if that is empty. */
export function copyButton({ copy }: Words, what: string, copied: string): Element {
  return element('button', {
    type: 'button',
    className: ['copy'],
    dataCopy: copied,
    ariaLabel: `${copy.copy({ what })}`,
  })
}
