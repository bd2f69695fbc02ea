import { keysOf } from '../fields.ts'
import { TYPE_FIELDS } from '../type-style.ts'
import { keyIn, keysByWord } from './notation.ts'

/** The field of a type style that a label names, in any case and spelling. */
export function typeKeyOf(label: string): string | undefined {
  return keyIn(TYPE_LABELS, label)
}

const TYPE_LABELS = keysByWord({
  ...Object.fromEntries(keysOf(TYPE_FIELDS).map(key => [key, key])),
  name: 'title label stylename',
  family: 'font fontfamily',
  size: 'fontsize',
  leading: 'lineheight',
  tracking: 'letterspacing',
  weight: 'fontweight',
  style: 'fontstyle',
})
