import { keysOf } from '../fields.ts'
import { TYPE_FIELDS } from '../type-style.ts'
import { keyIn, keysByWord } from './notation.ts'

/** The field of a type style that a label names, in any case and spelling, also with units: `Size (px)`. */
export function typeKeyOf(label: string): string | undefined {
  return keyIn(TYPE_LABELS, label.slice(0, MAX_LABEL).replace(UNITS, ''))
}

/** The unit that a label gives for bare numbers, such as `rem`; empty without a unit, or with several. */
export function unitIn(label: string): string {
  return /^\P{L}*(\p{L}+)\P{L}*$/u.exec(UNITS.exec(label.slice(0, MAX_LABEL))?.[0] ?? '')?.[1]?.toLowerCase() ?? ''
}

const MAX_LABEL = 100
/** The units at the end of a label, such as `(px/rem)`. */
const UNITS = /(?<=[\p{L}\s])\P{L}(?:(?:px|pt|r?em)(?!\p{L})[^\p{L}]{0,5})+$/iu

/** Words for fields in the languages of the website, in addition to their keys. */
const TYPE_LABELS = keysByWord({
  ...Object.fromEntries(keysOf(TYPE_FIELDS).map(key => [key, key])),
  name: 'title label stylename textstyle typestyle level element role stufe ebene textstil textformat niveau nivel livello estilo stile nom nombre nome naam nazwa namn navn',
  family:
    'font fontfamily typeface schrift schriftart schriftfamilie police fuente tipografía carattere fonte lettertype krój',
  size: 'fontsize textsize schriftgrad schriftgröße größe taille corps tamaño dimensione corpo tamanho grootte rozmiar storlek størrelse',
  leading:
    'lineheight zeilenhöhe zeilenabstand interligne interlineado interlinea entrelinha regelhoogte interlinia radavstånd linjehøjde',
  tracking: 'letterspacing laufweite zeichenabstand interlettrage espaciado spaziatura letterafstand',
  weight: 'fontweight gewicht schnitt schriftschnitt graisse peso grosor dikte grubość vikt',
  casing: 'case texttransform',
  style: 'fontstyle',
})
