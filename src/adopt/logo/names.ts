import { basename, extname } from 'node:path/posix'
import { filename, fileStem, folderOf } from '#brand/file.ts'
import { slug } from '#brand/ids.ts'
import { countWords, spacedName, wordSet, wordTable } from '#platform/base/text.ts'

/* The meaning of file paths for logos. `brand` has the words of the brand's name. */

/** The words of the brand: from its name, else the ones that most names of logo files share. */
export function brandOf(name: string, paths: readonly string[]): ReadonlySet<string> {
  const own = brandWords(name)
  const names = paths.map(filename)
  return names.some(each => isNamed(each, own)) ? own : own.union(commonWords(names))
}

/** Whether a file is named for a logo or for the brand's sign. */
export function isCalledMark(path: string, brand: ReadonlySet<string>): boolean {
  return hasAny(wordsOf(basename(path), brand), MARKS)
}

/** Whether a file is named for the sign of the brand, without its name. */
export function isCalledSign(path: string, brand: ReadonlySet<string>): boolean {
  const words = wordsOf(filename(path), brand)
  return isNamed(filename(path), brand) && hasAny(words, SIGNS) && !hasAny(words, LOGOS)
}

/** Whether a name says nothing about its content, such as `image (1).png`. */
export function saysNothing(path: string): boolean {
  return wordsOf(fileStem(path)).every(word => countWords(word) === 0 || PLAIN.has(word))
}

/** Whether a text names logos, apart from the name of the brand. */
export function isAboutLogos(text: string, brand: ReadonlySet<string>): boolean {
  return !LOGOS.isDisjointFrom(new Set(wordsOf(text)).difference(brand))
}

export function isCalledLogo(path: string, brand: ReadonlySet<string> = new Set()): boolean {
  return hasAny(wordsOf(basename(path), brand), LOGOS)
}

/**
 * How well a path fits the main version of the brand's logo: the more, the better; undefined if it does not say that the
 * file is a logo.
 */
export function nameWeight(path: string, brand: ReadonlySet<string>): number | undefined {
  const isOwn = isNamed(filename(path), brand)
  const [words, places] = [wordsOf(filename(path), brand), wordsOf(folderOf(path))]
  const strange = strangeWords(words, brand)
  const marks = [...words, ...places.filter(word => LOGOS.has(word))]
  const isPlain = strange.length + strangeWords(places, brand).length === 0
  if (isOwn ? !hasAny(marks, MARKS) : !(isPlain && hasAny(marks, LOGOS))) return undefined
  // With an icon, a wordmark is the whole logo.
  const isWhole = words.some(word => word.startsWith('wordmark')) && hasAny(words, SIGNS)
  const counted = words.filter(word => !(isWhole && MARKS.has(word)))
  const signs = [
    6 * Number(isOwn),
    4 * Number(hasAny(marks, LOGOS)),
    weightOf(counted),
    weightOf(places) / 2,
    formatWeight(path),
    -strange.length,
    -path.split('/').length / 10,
  ]
  return signs.reduce((sum, sign) => sum + sign, 0)
}

/**
 * The words of a name, in lower case, with those of the brand apart: `FINOS_Icon-wordmarkRGB` becomes `finos`, `icon`,
 * `wordmark`, `rgb`, and `acmelogo` becomes `acme`, `logo`.
 */
export function wordsOf(text: string, brand: ReadonlySet<string> = new Set()): string[] {
  const words = slug(spacedName(text)).match(/\p{L}+|\d+/gu) ?? []
  return words.flatMap(word => {
    const own = [...brand].find(each => word.startsWith(each) && MARKS.has(word.slice(each.length)))
    return own === undefined ? [word] : [own, word.slice(own.length)]
  })
}

/** The words of a brand's name that say which one it is, and the initials of them all. */
function brandWords(name: string): ReadonlySet<string> {
  const words = wordsOf(name)
  // Files have `HeyJobs` also as one word.
  const own = new Set([...words, ...wordsOf(name.toLowerCase())]).difference(PLAIN).difference(COMMON)
  const begin = words.findIndex(word => own.has(word))
  const end = words.findLastIndex(word => own.has(word)) + 1
  const initials = [words, [...own], words.slice(begin, end)]
    .map(each => each.map(([first = '']) => first).join(''))
    .filter(text => text.length > 2)
  const apart = words.filter(word => own.has(word)).join('')
  return new Set([...own, apart, ...initials].filter(word => word.length > 1))
}

/** The words that most names of logo files share, which are those of their brand. */
function commonWords(names: readonly string[]): ReadonlySet<string> {
  const words = names.flatMap(name => strangeWords(wordsOf(name), new Set()))
  const groups = Map.groupBy(words, word => word).values()
  const common = groups.filter(({ length }) => length > 1 && 3 * length >= 2 * names.length)
  return new Set(common.flatMap(same => same.slice(0, 1)))
}

/** Whether one of the brand's words is in a text, also with others without a space: `acmelogo`. */
export function isNamed(text: string, brand: ReadonlySet<string>): boolean {
  const begins = (word: string, own: string) =>
    word.startsWith(own) && own.length > 2 && (own.length > 3 || word.length <= own.length + 1)
  return wordsOf(text).some(word => brand.has(word) || [...brand].some(own => begins(word, own)))
}

/** Whether a picture belongs to another brand or a licence, or shows several marks or how not to use one. */
export function isOfOthers(path: string, brand: ReadonlySet<string>): boolean {
  const folders = folderOf(path)
    .split('/')
    .filter(folder => !folder.startsWith('.'))
  const name = new Set(wordsOf(filename(path)))
  const places = new Set(folders.flatMap(folder => wordsOf(folder)))
  const wrong = [name.intersection(BOARDS), places.intersection(OTHERS), name.union(places).intersection(WRONG)]
  return wrong.some(words => !words.isSubsetOf(brand))
}

/** Whether a file is named as `logo` is, apart from words for the ground that they are for. */
export function isVersionOf(path: string, logo: string): boolean {
  const own = new Set(wordsOf(filename(logo))).difference(GROUNDS)
  return own.size > 0 && own.isSubsetOf(new Set(wordsOf(filename(path))))
}

function hasAny(words: readonly string[], list: ReadonlySet<string>): boolean {
  return words.some(word => list.has(word))
}

/** How well the words of a heading fit the main version of a logo. */
export function versionWeight(text: string): number {
  return weightOf(wordsOf(text))
}

/** How well a format fits: a vector is best. */
export function formatWeight(path: string): number {
  return weightOf([extname(path).toLowerCase()])
}

function weightOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (WEIGHTS.get(word) ?? 0), 0)
}

/** The words that are neither of the brand nor of logos and their places, which may name another brand. */
function strangeWords(words: readonly string[], brand: ReadonlySet<string>): string[] {
  const strange = new Set(words).difference(brand).difference(PLAIN).difference(MARKS)
  return [...strange].filter(word => countWords(word) > 0 && !WEIGHTS.has(word))
}

const LOGOS = wordSet(
  'logo logos logotype logotypes wordmark wordmarks lockup lockups logomark brandmark logotyp logotipo logotipos logotypen logoer logon',
)
const SIGNS = wordSet('mark marks icon emblem symbol signet monogram avatar')
const MARKS = LOGOS.union(SIGNS)
/** The weights of words that say which version of a logo a file is, and of its format. */
const WEIGHTS = wordTable<number>([
  [2, 'primary principal primario primaire main full horizontal horz hor long landscape default master .svg'],
  [1, 'standard positive color colour colored coloured rgb fullcolor combined'],
  [-2, 'black mono monochrome'],
  [-1, 'dark grey gray vertical stacked square small mini secondary'],
  [-1, 'cmyk pms print outline name tagline'],
  [-2, 'on bg wordmark wordmarks logotype .gif .webp'],
  [-3, 'icon icons mark logomark brandmark symbol emblem signet favicon avatar pfp monogram'],
  [-5, '.jpg .jpeg'],
  [-6, '.ico only'],
])
const GROUNDS = wordSet('white light dark reverse reversed negative inverse inverted')
/** Words that name no brand. */
const PLAIN = wordSet(
  'assets asset static public src source content contents docs doc documentation images image img imgs media files file uploads downloads download resources resource brand branding brandbook identity visual corporate design system style styles guide guides styleguide guideline guidelines manual handbook book logo logos icons icon favicon graphics svg png jpg jpeg webp eps pdf ai rgb cmyk pms web digital screen white negative reversed reverse inverse inverted light large medium big size the our and of for new final original official kit press pack presskit mediakit theme themes site website www pages page components component common shared global head header footer nav navbar layout en de fr es version on blue red green yellow orange purple pink teal navy px dpi data elements foundations basics basic',
)
const COMMON = wordSet('a an und der die das la le les los el co inc ltd gmbh ag com org net io example')
/** A misuse, a licence or a badge. */
const WRONG = wordSet(
  'misuse misused misuses rotate rotated skew skewed squish squished squash squashed stretch stretched distort distorted cropped cropping incorrect wrong dont donts donot avoid bad ng false improper unacceptable creativecommons commons cc license licence badge badges shield shields shieldsio',
)
/** Pictures of several marks, or about one. */
const BOARDS = wordSet(
  'marks logos variations variation variants versions overview anatomy construction clearspace clear clearance space spacing isolation minimum sizes sizing composition grid placement background backgrounds board sheet comparison examples example usage preview teaser cover banner hero collage family architecture evolution history combinations lockups position positioning mockup mockups template do dos screenshot thumbnail thumb cobranding cobrand partnership',
)
/** Folders of others. */
const OTHERS = wordSet(
  'fonts project projects partner partners client clients customer customers sponsor sponsors member members vendor vendors third external deprecated archive archived old legacy previous former obsolete team teams companies organisations organizations subsidiaries portfolio showcase demo test tests fixtures social misc',
)
