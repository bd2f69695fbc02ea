import type { Element } from 'hast'
import type { Color } from '../../brand/color.ts'
import type { Word } from '../html.ts'
import type { Words } from '../words/words.ts'
import type { Place } from './color-spread.ts'
import { colorValues } from './color-spread.ts'
import { element } from './element.ts'
import { fitClasses, isLong, stepsOf } from './long-words.ts'

/** The content of a colour tile, in addition to the values of the colour. */
export type ColorTile = {
  words: Words
  color: Color
  /** The class of its letters: `themeOf(…).letterClass`. */
  letters: string
  /** The link of its name. */
  href: string
  /** Its name on this page; the name of the colour by default. */
  title?: string
  /** A note about it on this page, shown before its use. */
  note?: Word | undefined
  /** Its anchor on the page. */
  id?: string
  place?: Place | undefined
  /** The page with its contrast to other colours. */
  contrastPath?: string | undefined
}

/** A colour as an item of the list `ul.tiles`. Each of its values has a copy button. */
export function colorTile({
  words,
  color,
  letters,
  href,
  title = color.name,
  note,
  id,
  place: { width, height, band, names } = WHOLE_ROW,
  contrastPath,
}: ColorTile): Element {
  const { hex, use } = color
  const steps = stepsOf(title)
  return element(
    'li',
    { id, className: [letters, `w${width}`, ...sizeOf(width, names), ...(isLong(steps) ? ['long'] : [])] },
    colorFill(hex),
    element(
      'div',
      {},
      element(
        'p',
        { className: ['tile-name', ...fitClasses(steps)] },
        element('a', { href }, steps.flatMap(step => [step, element('wbr', {})]).slice(0, -1)),
      ),
      note ? element('p', { className: ['use'] }, note) : undefined,
      use !== undefined && element('p', { className: ['use'] }, use),
    ),
    (height > 0 || band > 0) && rise(height, band),
    ...valueLists(words, color),
    contrastPath !== undefined && element('a', { href: contrastPath }, words.colors.contrastOthers),
  )
}

/** The classes of a narrow tile, and of a row whose names are larger or smaller than usual. */
function sizeOf(width: number, names: Place['names']): string[] {
  return [...(names === 'usual' ? [] : [names]), ...(width < 15 ? ['slim'] : [])]
}

/** An empty space, whose height follows from its width on narrow screens if there is a band. */
function rise(height: number, band: number): Element {
  const viewBox = band > 0 ? `0 0 1 ${band}` : undefined
  return element('svg', { className: ['rise'], ariaHidden: 'true', height, viewBox })
}

const WHOLE_ROW: Place = { width: 60, height: 0, band: 0, names: 'large' }

/** An SVG filled with one colour; screen readers skip it. */
function colorFill(hex: string): Element {
  return element('svg', { ariaHidden: 'true', fill: hex }, element('rect', {}))
}

/** A small square in a CSS colour, for display before its name; screen readers skip it. */
export function colorChip(color: string): Element {
  const square = element('path', { d: 'M0 0h1v1H0z', fill: color })
  return element('svg', { className: ['chip'], viewBox: '0 0 1 1', ariaHidden: 'true' }, square)
}

/** The values of a colour, and below them its inks, of which there can be any number. */
function valueLists(words: Words, color: Color): Element[] {
  const items = colorValues(color).map(({ kind, label, text, copied = '' }) => {
    const value = element('dd', {}, text, copyButton(words, copied || text, copied))
    return { kind, item: element('div', { className: [kind] }, element('dt', {}, label), value) }
  })
  const [values = [], inks = []] = [false, true].map(isInk =>
    items.filter(({ kind }) => (kind === 'inks') === isInk).map(({ item }) => item),
  )
  return [element('dl', {}, values), ...(inks.length > 0 ? [element('dl', { className: ['ink-list'] }, inks)] : [])]
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
