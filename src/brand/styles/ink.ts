import { groupsOf } from '#platform/base/text.ts'
import { COLOR_FIELDS, type Color, type PrintReferences, printValuesOf, valueName } from '../color.ts'
import { type Pantone, pantoneKind, pantoneName, pantonesIn } from './pantone.ts'

/**
 * A key for an ink, equal for each spelling of a Pantone reference, such as `285C` and `PANTONE® 285 c`, but not for
 * `P 1-11 C` and `P 11-1 C`, or for `+1` and `-1`.
 */
export function inkKey(reference: string): string {
  const { name, book } = inkParts(reference)
  return name + book
}

/** The parts of the key of an ink: its name or number, and its book, which is empty for inks that name neither. */
export function inkParts(reference: string): { name: string; book: string } {
  const spelling = pantoneName(reference)
  const withSignsAsWords = spelling.replace(PLUS, ' plus ').replace(MINUS, 'minus ')
  const ink = withSignsAsWords.normalize('NFKC').toUpperCase()
  const [book = ''] = groupsOf(BOOK, ink)
  // Only letters and digits count, with a hyphen between numbers: `P1-11`, `BLACK6`.
  const name = ink
    .slice(0, ink.length - book.length)
    .replace(/(?<=\p{N})[^\p{L}\p{N}]+(?=\p{N})/gu, '-')
    .replace(/[^\p{L}\p{N}-]+|(?<!\p{N})-+|-+(?!\p{N})/gu, '')
  return { name: name || spelling, book }
}

/** Signs before a digit: `+1`, `-1`, `Cool -1`. Other hyphens separate: `1-11`. */
const [PLUS, MINUS] = [/\+(?=\p{N})/gu, /[-–−](?=\p{N})(?<=(?:^|[^\p{N}\s]\s+).)/gu]

/** The end of the name of an ink for coated or uncoated paper. */
const BOOK = /(?<=[\p{N}\s])[CU]$/u

/** The spot colour name of an ink: `PANTONE 285 C` for `285 C`, `Pantone 285C` and `PMS 285 C`. */
export function inkName(reference: string): string {
  return `PANTONE ${pantoneName(reference)}`
}

/** The names of the swatches of colours, all of them unique: on screen and in CMYK by place, and inks by key. */
export function swatchNames(colors: readonly Color[]): {
  screen: readonly string[]
  print: readonly string[]
  spot: ReadonlyMap<string, Ink>
  process: ReadonlyMap<string, Ink>
} {
  const [spot, process] = [inksOf(colors, 'spot'), inksOf(colors, 'process')]
  const unique = uniqueNames(Array.from([...spot.values(), ...process.values()], ({ name }) => name))
  const screen = colors.map(({ name, id }) => unique(name, id))
  const print = colors.map(({ name, id, cmyk }) => (cmyk === undefined ? `${name} CMYK` : unique(`${name} CMYK`, id)))
  return { screen, print, spot, process }
}

/** An ink, and the colour that represents it where the ink is not available. */
type Ink = { name: string; color: Color }

/** Every ink of a kind once, under its first name, with its first colour that has CMYK values, or else its first colour. */
function inksOf(colors: readonly Color[], kind: Pantone['kind']): ReadonlyMap<string, Ink> {
  const inks = new Map<string, Ink>()
  for (const color of colors)
    for (const { key, name } of spotNames(color, kind)) {
      const ink = inks.get(key)
      if (!ink) inks.set(key, { name, color })
      else if (ink.color.cmyk === undefined && color.cmyk !== undefined) inks.set(key, { ...ink, color })
    }
  return inks
}

/** An ink by its reference and its name in files, with a key that is equal for other spellings of its name. */
type SpotName = Pick<Pantone, 'kind'> & { key: string; ink: string; name: string }

/** The inks of a colour that exports write as spot colours; or those of another kind. */
export function spotNames(color: PrintReferences, kind: Pantone['kind'] = 'spot'): SpotName[] {
  return namesOf(color, ['ink', 'inks']).filter(ink => ink.kind === kind)
}

/** The inks of a colour with its RAL number, which exports write only as a value. */
export function printedInks(color: PrintReferences): SpotName[] {
  return namesOf(color, ['ink', 'ral', 'inks']).filter(({ kind }) => kind !== 'no ink')
}

/** The inks in the fields of these kinds. A name in `inks` is another system, even if it is *Pantone*. */
function namesOf(color: PrintReferences, kinds: readonly string[]): SpotName[] {
  const values = printValuesOf(color).filter(({ key }) => kinds.includes(COLOR_FIELDS[key].kind))
  return values.flatMap(({ key, value, system }): SpotName[] => {
    if (key !== 'inks' && system === valueName('pms').system)
      return pantonesIn(`${value}`).map(({ name, kind }) => ({
        key: inkKey(name),
        ink: name,
        name: inkName(name),
        kind,
      }))
    const name = `${system} ${value}`
    const kind = /^pantone/i.test(system) ? pantoneKind(name) : 'spot'
    // No key of a Pantone ink begins with a space.
    return [{ key: ` ${inkKey(name)}`, ink: name, name, kind }]
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
