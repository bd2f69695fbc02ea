import type { Color } from '../color.ts'
import { slug } from '../ids.ts'
import type { TypeStyle } from '../type-style.ts'

/** The names in a Tailwind theme: of colours and type styles, keyed by id, and of families, keyed by family name. */
export type ThemeNames = Readonly<Record<'colors' | 'types' | 'families', ReadonlyMap<string, string>>>

/**
 * Makes unique ASCII names without another meaning in Tailwind 4, where `text-center` aligns and `text-shadow-ink` is a
 * shadow. A reserved name gets its kind as a prefix (`color-center`). A type style with the name of a colour gets the
 * suffix `-type`, since both have the utility `text-…` (decisions/0325).
 */
export function themeNames(colors: readonly Color[], types: readonly TypeStyle[]): ThemeNames {
  const names = {
    colors: new Map<string, string>(),
    types: new Map<string, string>(),
    families: new Map<string, string>(),
  }
  const [used, usedFamilies] = [new Set<string>(), new Set<string>()]
  for (const { id } of colors)
    names.colors.set(id, firstFree(withPrefixIfReserved('color', latinName(id), COLORS), used))
  for (const { id } of types) {
    const name = withPrefixIfReserved('type', latinName(id), TYPES)
    names.types.set(id, firstFree(used.has(name) ? `${name}-type` : name, used))
  }
  for (const family of new Set(types.flatMap(({ family }) => family ?? [])))
    names.families.set(
      family,
      firstFree(withPrefixIfReserved('family', latinName(slug(family)), FAMILIES), usedFamilies),
    )
  return names
}

/** Reserved names, and reserved first parts of names. */
type Reserved = { names: ReadonlySet<string>; starts: ReadonlySet<string> }

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

const KEYWORDS = 'inherit current transparent initial'
const ALIGNMENTS = 'balance center clip ellipsis end justify left nowrap pretty right start wrap'
const SIZES = '2xs xs sm base md lg xl 2xl 3xl 4xl 5xl 6xl 7xl 8xl 9xl'
const SIDES = 'b be bs e l r s t x y'

/** The parts after `bg-`, `text-`, `border-`, `decoration-` and so on in utilities that set no colour. */
const COLORS: Reserved = {
  names: words(
    `${KEYWORDS} ${ALIGNMENTS} ${SIZES} ${SIDES} auto none bottom collapse conic contain cover dashed dotted double fixed hidden inner inset local radial repeat scroll separate solid top wavy`,
  ),
  starts: words(
    `${SIDES} blend bottom clip conic from left linear no offset origin position radial repeat right shadow size spacing top`,
  ),
}

const HUES =
  'amber blue cyan emerald fuchsia gray green indigo lime mauve mist neutral olive orange pink purple red rose sky slate stone taupe teal violet yellow zinc'

/** The parts after `text-` in utilities that set no size. */
const TYPES: Reserved = {
  names: new Set([
    ...words(`${KEYWORDS} ${ALIGNMENTS} shadow black white`),
    ...HUES.split(' ').flatMap(hue => [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950].map(n => `${hue}-${n}`)),
  ]),
  starts: words('shadow'),
}

/** The parts after `font-` in utilities that set no family, and Tailwind's own families. */
const FAMILIES: Reserved = {
  names: words(
    'thin extralight light normal medium semibold bold extrabold black sans serif mono weight stretch features',
  ),
  starts: words('weight stretch features'),
}

function withPrefixIfReserved(kind: string, name: string, { names, starts }: Reserved): string {
  if (name === '') return kind
  const [start = '', ...rest] = name.split('-')
  return names.has(name) || (rest.length > 0 && starts.has(start)) ? `${kind}-${name}` : name
}

/** Takes a name, with a number if it is used. */
export function firstFree(name: string, used: Set<string>, end = ''): string {
  let free = name + end
  for (let number = 2; used.has(free); number++) free = `${name}-${number}${end}`
  used.add(free)
  return free
}

/** An id in ASCII: special Latin letters are spelled, other letters are code points: `u7ea2-rot` for `红-rot`. */
export function latinName(id: string): string {
  return id.replace(/[^a-z0-9-]/gu, character => LATIN.get(character) ?? `u${character.codePointAt(0)?.toString(16)}`)
}

/** Letters without a Unicode decomposition, as passports write them (ICAO 9303, part 3, §6). */
const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    æ: 'ae',
    đ: 'd',
    ð: 'd',
    ħ: 'h',
    ı: 'i',
    ĸ: 'q',
    ł: 'l',
    ŋ: 'n',
    ø: 'oe',
    œ: 'oe',
    þ: 'th',
    ŧ: 't',
  }),
)
