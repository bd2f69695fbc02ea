import { groupsOf } from '#platform/base/text.ts'
import type { Color } from '../color.ts'

/** The inks of a colour, as its author wrote them. */
export type InkReferences = Pick<Color, 'pms' | 'pms2' | 'ral' | 'inks'>

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
  const signed = reference.replace(PLUS, ' plus ').replace(MINUS, 'minus ')
  const ink = withoutSystem(signed).normalize('NFKC').toUpperCase()
  const [suffix = '', coated] = groupsOf(BOOK, ink)
  const name = ink
    .slice(0, ink.length - suffix.length)
    .replace(/(?<=\p{N})[^\p{L}\p{N}]+(?=\p{N})/gu, '-')
    .replace(/[^\p{L}\p{N}-]+|(?<!\p{N})-+|-+(?!\p{N})/gu, '')
  if (suffix !== '') return { name, book: coated === undefined ? 'U' : 'C' }
  return { name: name === '' ? withoutSystem(reference) : name, book: '' }
}

/** Signs before a digit; other hyphens separate. */
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

/** The inks of a colour as written and named, each with a key that is equal for other spellings of its name. */
export function spotNames({ pms, pms2, inks = {} }: InkReferences): { key: string; ink: string; name: string }[] {
  const pantone = [pms, pms2].flatMap(ink => (ink === undefined ? [] : { key: inkKey(ink), ink, name: inkName(ink) }))
  const others = Object.entries(inks).map(([system, ink]) => `${system} ${ink}`)
  return [...pantone, ...others.map(name => ({ key: ` ${inkKey(name)}`, ink: name, name }))]
}

/** The inks of a colour with its RAL number, which exports write only as a value. */
export function printedInks(color: InkReferences): ReturnType<typeof spotNames> {
  const ral = color.ral === undefined ? {} : { RAL: `${color.ral}` }
  return spotNames({ ...color, inks: { ...ral, ...color.inks } })
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
