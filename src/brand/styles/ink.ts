import { groupsOf } from '#platform/base/text.ts'
import { COLOR_FIELDS, type Color, PRINT_VALUES, type PrintReferences, printValuesOf } from '../color.ts'

/**
 * A key for an ink, equal for `285 C`, `285C`, `285 CVC` and `PANTONE® 285 c`, but not for `P 1-11 C` and `P 11-1 C`, or
 * for `+1` and `-1`.
 */
export function inkKey(reference: string): string {
  const { name, book } = inkParts(reference)
  return name + book
}

/** The parts of the key of an ink: its name or number, and its book, which is empty for inks that name neither. */
export function inkParts(reference: string): { name: string; book: 'C' | 'U' | '' } {
  const withSignsAsWords = reference.replace(PLUS, ' plus ').replace(MINUS, 'minus ')
  const ink = withoutSystem(withSignsAsWords).normalize('NFKC').toUpperCase()
  const [suffix = '', coated] = groupsOf(BOOK, ink)
  // Only letters and digits count, with a hyphen between numbers: `P1-11`, `BLACK6`.
  const name = ink
    .slice(0, ink.length - suffix.length)
    .replace(/(?<=\p{N})[^\p{L}\p{N}]+(?=\p{N})/gu, '-')
    .replace(/[^\p{L}\p{N}-]+|(?<!\p{N})-+|-+(?!\p{N})/gu, '')
  if (suffix !== '') return { name, book: coated === undefined ? 'U' : 'C' }
  return { name: name === '' ? withoutSystem(reference) : name, book: '' }
}

/** Signs before a digit: `+1`, `-1`, `Cool -1`. Other hyphens separate: `1-11`. */
const [PLUS, MINUS] = [/\+(?=\p{N})/gu, /[-–−](?=\p{N})(?<=(?:^|[^\p{N}\s]\s+).)/gu]

/** The ends of names for coated and uncoated paper. Programs also wrote CV and CVC, and CVU ("computer video"). */
const BOOK = /(?<=[\p{N}\s])(?:(C(?:VC?|OATED)?)|U(?:NCOATED)?|CVU)$/u

/** The spot colour name of an ink: `PANTONE 285 C` for `285 C`, `Pantone 285 C` and `PMS 285 C`. */
export function inkName(reference: string): string {
  return `PANTONE ${withoutSystem(reference)}`.trim()
}

function withoutSystem(reference: string): string {
  return reference.trim().replace(/^(?:PANTONE|PMS)(?!\p{L})[®™\s]*/iu, '')
}

/** The names of the swatches of colours, all of them unique: on screen and in CMYK by place, and inks by key. */
export function swatchNames(colors: readonly Color[]): {
  screen: readonly string[]
  print: readonly string[]
  spot: ReadonlyMap<string, Ink>
} {
  const spot = inksOf(colors)
  const unique = uniqueNames(Array.from(spot.values(), ({ name }) => name))
  const screen = colors.map(({ name, id }) => unique(name, id))
  const print = colors.map(({ name, id, cmyk }) => (cmyk === undefined ? `${name} CMYK` : unique(`${name} CMYK`, id)))
  return { screen, print, spot }
}

/** An ink, and the colour that represents it where the ink is not available. */
type Ink = { name: string; color: Color }

/** Every ink once, under its first name, with its first colour that has CMYK values, or else its first colour. */
function inksOf(colors: readonly Color[]): ReadonlyMap<string, Ink> {
  const inks = new Map<string, Ink>()
  for (const color of colors)
    for (const { key, name } of spotNames(color)) {
      const ink = inks.get(key)
      if (!ink) inks.set(key, { name, color })
      else if (ink.color.cmyk === undefined && color.cmyk !== undefined) inks.set(key, { ...ink, color })
    }
  return inks
}

/** An ink as written and named, with a key that is equal for other spellings of its name. */
type SpotName = { key: string; ink: string; name: string }

/** The inks of a colour that exports write as spot colours. */
export function spotNames(color: PrintReferences): SpotName[] {
  return namesOf(color, ['ink', 'inks'])
}

/** The inks of a colour with its RAL number, which exports write only as a value. */
export function printedInks(color: PrintReferences): SpotName[] {
  return namesOf(color, ['ink', 'ral', 'inks'])
}

/** The inks in the fields of these kinds. A name in `inks` is another system, even if it is *Pantone*. */
function namesOf(color: PrintReferences, kinds: readonly string[]): SpotName[] {
  return printValuesOf(color)
    .filter(({ key }) => kinds.includes(COLOR_FIELDS[key].kind))
    .map(({ key, value, system }) => {
      const ink = `${value}`
      if (key !== 'inks' && system === PRINT_VALUES.pms.system) return { key: inkKey(ink), ink, name: inkName(ink) }
      const name = `${system} ${ink}`
      // No key of a Pantone ink begins with a space.
      return { key: ` ${inkKey(name)}`, ink: name, name }
    })
}

/** Makes a name unique: a taken name gets the colour id, and a number if that is also taken. */
function uniqueNames(taken: readonly string[]): (name: string, id: string) => string {
  const used = new Set(taken)
  return (name, id) => {
    let free = name
    for (let number = 1; used.has(free); number++) free = number === 1 ? `${name} (${id})` : `${name} (${id} ${number})`
    used.add(free)
    return free
  }
}
