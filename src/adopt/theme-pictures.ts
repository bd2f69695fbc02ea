import { basename, dirname, extname, join } from 'node:path/posix'
import { filename, fileStem, folderOf } from '#brand/file.ts'
import { slug } from '#brand/ids.ts'
import {
  compareStrings,
  countWords,
  inFormats,
  lastNumber,
  percentDecode,
  spacedName,
  withoutQuery,
  wordSet,
  wordsIn,
  wordTable,
} from '#platform/base/text.ts'
import type { Accent } from './accent.ts'
import type { Artwork } from './artwork.ts'
import type { Document, PageHead } from './document.ts'
import type { Notes } from './report/report.ts'
import type { FilePlan } from './site/links.ts'
import type { SiteFacts } from './sources/facts.ts'
import { type Entry, shownPath } from './sources/source.ts'

/** The parts of a source that show its logos and icons: its name and settings, its pages in HTML, and its files. */
export type PictureSource = Pick<SiteFacts, 'name' | 'logos' | 'darkLogos' | 'icons'> & {
  pages: readonly Pick<Document, 'entry' | 'head'>[]
  all: readonly Entry[]
}

type Theme = { logo?: string; logoDark?: string; icon?: string; accent?: string; dark?: string }

/** A picture with the reason why it may be a logo. */
type Candidate = { file: FilePlan; why: string }

type Looks = { accent: Accent | undefined; artwork: Artwork; guessed: Notes['guessed'] }

/**
 * The pictures of a theme: what the source itself uses, else by the name of the brand and words in paths. Without a logo,
 * the theme has another key, so that the website takes no picture by its name.
 */
export async function themeOf(
  files: readonly FilePlan[],
  source: PictureSource,
  { accent, artwork, guessed }: Looks,
): Promise<Theme | undefined> {
  const pictures = files.filter(isShowable)
  const named = brandWords(source.name ?? '')
  const logoFiles = pictures.filter(file => hasWord(file, LOGOS))
  const names = logoFiles.map(({ entry }) => filename(entry.path))
  const brand = names.some(name => isNamed(name, named)) ? named : named.union(commonWords(names))
  const usable = pictures.filter(file => !isOfOthers(file, brand))
  const { logos, darkLogos, icons } = await candidatesOf(source, usable, brand)
  const light = new Set<Candidate>()
  for (const each of logos.slice(0, MAX_MEASURED)) if (await artwork.isLight(each.file)) light.add(each)
  const onLight = logos.filter(each => !light.has(each))
  const onDark = [...darkLogos, ...partnersOf(onLight, [...light])].slice(0, 1)
  const theme: Theme = {}
  for (const [key, [chosen, ...others]] of Object.entries({ logo: onLight, logoDark: onDark, icon: icons })) {
    if (chosen === undefined) continue
    const { file, why } = chosen
    const candidates = others.slice(0, 2).map(each => each.file.to)
    guessed.push({ path: shownPath(file.entry), value: file.to, why, key: `theme.${key}`, candidates })
    Object.assign(theme, { [key]: file.to })
  }
  if (accent) {
    guessed.push({ path: '.', key: 'theme.accent', value: accent.color.id, why: accent.why })
    theme.accent = accent.color.id
  }
  if (onLight.length === 0 && logoFiles.length > 0) {
    guessed.push({ path: '.', key: 'theme.logo', value: '', why: NO_LOGO, candidates: [] })
    theme.dark = 'auto'
  }
  return Object.keys(theme).length > 0 ? theme : undefined
}

const NO_LOGO = 'no picture is surely the logo, so the name is set as text'
const MAX_MEASURED = 12

/** The pictures that may be logos and icons, the best first. */
async function candidatesOf(source: PictureSource, usable: readonly FilePlan[], brand: ReadonlySet<string>) {
  const find = (paths: readonly string[]) =>
    paths.flatMap(path => usable.filter(({ entry }) => entry.path === path).map(file => ({ file, why: BY_SETTINGS })))
  const shown = (addressesIn: (head: PageHead) => readonly string[], why: string) =>
    source.pages.flatMap(({ entry, head }) => {
      const addresses = head ? addressesIn(head) : []
      return addresses.flatMap(address => picturesAt(address, entry.path, usable)).map(file => ({ file, why }))
    })
  const icons = unique([
    ...find(source.icons),
    ...shown(({ icons }) => icons.toSorted((a, b) => iconRank(b) - iconRank(a)), 'browsers show it'),
    ...iconsByName(usable),
  ])
  const isIcon = (file: FilePlan) => icons.some(icon => icon.file === file)
  const logos = unique([
    ...find(source.logos),
    ...shown(({ logos }) => logos, 'the header of the site shows it'),
    ...(await inParts(source.all, usable)),
    ...shown(({ image = '' }) => [image], 'links to the site show it').filter(({ file }) => hasWord(file, MARKS)),
    // The icon of a site is often only a part of its logo.
    ...byName(
      usable.filter(file => !isIcon(file)),
      brand,
    ),
    ...byName(usable.filter(isIcon), brand),
  ])
  return { logos, darkLogos: find(source.darkLogos), icons }
}

const BY_SETTINGS = 'the settings say so'

function isShowable({ entry, to }: FilePlan): boolean {
  return SHOWABLE.test(to) && entry.size <= MAX_BYTES
}

const SHOWABLE = inFormats('svg, png, jpg, jpeg, webp, avif, gif, ico')
const MAX_BYTES = 1_000_000

function unique(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ file }, at) => candidates.findIndex(each => each.file === file) === at)
}

/** The words of a name, in lower case: `FINOS_Icon-wordmarkRGB` becomes `finos`, `icon`, `wordmark`, `rgb`. */
function wordsOf(text: string): string[] {
  return slug(spacedName(text)).match(/\p{L}+|\d+/gu) ?? []
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
function isNamed(text: string, brand: ReadonlySet<string>): boolean {
  const begins = (word: string, own: string) =>
    word.startsWith(own) && own.length > 2 && (own.length > 3 || word.length <= own.length + 1)
  return wordsOf(text).some(word => brand.has(word) || [...brand].some(own => begins(word, own)))
}

function hasWord({ entry }: FilePlan, list: ReadonlySet<string>): boolean {
  return hasAny(wordsOf(basename(entry.path)), list)
}

function hasAny(words: readonly string[], list: ReadonlySet<string>): boolean {
  return words.some(word => list.has(word))
}

/** Whether a picture belongs to another brand or a licence, or shows several marks or how not to use one. */
function isOfOthers({ entry }: FilePlan, brand: ReadonlySet<string>): boolean {
  const folders = folderOf(entry.path)
    .split('/')
    .filter(folder => !folder.startsWith('.'))
  const name = new Set(wordsOf(filename(entry.path)))
  const places = new Set(folders.flatMap(wordsOf))
  const wrong = [name.intersection(BOARDS), places.intersection(OTHERS), name.union(places).intersection(WRONG)]
  return wrong.some(words => !words.isSubsetOf(brand))
}

/** Pictures that are logos by their names, the best first. */
function byName(pictures: readonly FilePlan[], brand: ReadonlySet<string>): Candidate[] {
  const scored = pictures.flatMap(file => {
    const { path } = file.entry
    const isOwn = isNamed(filename(path), brand)
    const [words, places] = [wordsOf(filename(path)), wordsOf(folderOf(path))]
    const strange = strangeWords(words, brand)
    const marks = [...words, ...places.filter(word => LOGOS.has(word))]
    const isNeutral = strange.length + strangeWords(places, brand).length === 0
    if (isOwn ? !hasAny(marks, MARKS) : !(isNeutral && hasAny(marks, LOGOS))) return []
    // With an icon, a wordmark is the whole logo.
    const isWhole = words.some(word => word.startsWith('wordmark'))
    const counted = words.filter(word => !(isWhole && MARKS.has(word)))
    const signs = [
      6 * Number(isOwn),
      4 * Number(hasAny(words, LOGOS)),
      weightOf(counted),
      weightOf(places) / 2,
      weightOf([extname(path).toLowerCase()]),
      -strange.length,
      -path.split('/').length / 10,
    ]
    const why = isOwn ? 'the name of the brand and the words of the path' : 'the words of the path'
    return [{ file, why, score: signs.reduce((sum, sign) => sum + sign, 0) }]
  })
  return scored.sort((a, b) => b.score - a.score || compareStrings(a.file.to, b.file.to))
}

function weightOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (WEIGHTS.get(word) ?? 0), 0)
}

/** The words that are neither of the brand nor of logos and their places, which may name another brand. */
function strangeWords(words: readonly string[], brand: ReadonlySet<string>): string[] {
  const strange = new Set(words).difference(brand).difference(PLAIN).difference(MARKS)
  return [...strange].filter(word => countWords(word) > 0 && !WEIGHTS.has(word))
}

/** The light versions of a logo: the one with most of its words first, and among equals one in its folder. */
function partnersOf(logos: readonly Candidate[], light: readonly Candidate[]): Candidate[] {
  return logos.slice(0, 1).flatMap(({ file: { entry } }) => {
    const own = new Set(wordsOf(filename(entry.path)))
    const ranked = light.map(({ file }) => {
      const shared = own.intersection(new Set(wordsOf(filename(file.entry.path)))).size
      const isBeside = dirname(file.entry.path) === dirname(entry.path)
      return { file, why: 'light artwork beside the logo', rank: 2 * shared + Number(isBeside) }
    })
    return ranked.filter(({ rank }) => rank > 0).sort((a, b) => b.rank - a.rank)
  })
}

/** The picture at an address: relative to its page, or else by the end of its path; none for other addresses. */
function picturesAt(address: string, from: string, files: readonly FilePlan[]): FilePlan[] {
  const written = withoutQuery(address)
  const path = percentDecode(written) ?? written
  const end = path.replace(BEFORE_PATH, '')
  if (end === '') return []
  const exact = files.filter(({ entry }) => entry.path === join(dirname(from), path))
  const ending = files.filter(({ entry }) => `/${entry.path}`.endsWith(`/${end}`))
  const sorted = ending.toSorted((a, b) => a.entry.path.length - b.entry.path.length)
  return [...exact, ...sorted].slice(0, 1)
}

/** The site or the template before a path, and the signs for the root or folders above. */
const BEFORE_PATH = /^(?:\w+:\/\/[^/]+|.*[}%])?[./~@]*/s

/** The pictures in the parts of a website that are on each page, by the names of their files. */
async function inParts(all: readonly Entry[], pictures: readonly FilePlan[]): Promise<Candidate[]> {
  const parts = all.filter(({ path, size }) => isPart(path) && size <= MAX_PART).slice(0, MAX_PARTS)
  const found: Candidate[] = []
  for (const { path, read } of parts) {
    const text = await read(MAX_PART).then(String, () => '')
    const addresses = text.split(NO_PATH).filter(part => SHOWABLE.test(part))
    const files = addresses.flatMap(address => picturesAt(address.trim(), path, pictures))
    const marks = files.filter(file => hasWord(file, MARKS))
    found.push(...marks.map(file => ({ file, why: `${path} shows it on each page` })))
  }
  // Parts of pages also have icons, such as that of a menu.
  return found.toSorted((a, b) => Number(hasWord(b.file, LOGOS)) - Number(hasWord(a.file, LOGOS)))
}

function isPart(path: string): boolean {
  return SOURCES.test(path) && PARTS.some(part => fileStem(path).toLowerCase().endsWith(part))
}

const PARTS = wordsIn(
  'header, nav, navbar, nav-bar, navigation, masthead, sidebar, side-bar, branding, logo, layout, default',
)
const SOURCES = inFormats(
  'html, njk, liquid, hbs, pug, js, jsx, ts, tsx, vue, svelte, astro, yml, yaml, json, toml, php',
)
const MAX_PART = 64 << 10
const MAX_PARTS = 30
/** The signs around addresses in sources. */
const NO_PATH = /[^\w@~%./ -]+/

/** A vector or a large icon is better than a small one. */
function iconRank(address: string): number {
  const [, rank] = ICON_RANKS.find(([end]) => address.toLowerCase().endsWith(end)) ?? []
  return rank ?? (lastNumber(address) || 16)
}

const ICON_RANKS = [
  ['.svg', 1000],
  ['.ico', 1],
  ['apple-touch-icon.png', 180],
] as const

function iconsByName(pictures: readonly FilePlan[]): Candidate[] {
  const icons = pictures.filter(({ entry }) => ICONS.some(icon => filename(entry.path).toLowerCase().startsWith(icon)))
  return icons
    .toSorted((a, b) => iconRank(b.entry.path) - iconRank(a.entry.path) || compareStrings(a.to, b.to))
    .map(file => ({ file, why: 'the name of the file' }))
}

const ICONS = wordsIn('favicon, apple-touch-icon')

const LOGOS = wordSet(
  'logo logos logotype logotypes wordmark wordmarks lockup lockups logomark brandmark logotyp logotipo logotipos logotypen logoer logon',
)
const MARKS = new Set([...LOGOS, ...wordSet('mark marks icon emblem symbol signet monogram avatar')])
/** The weights of words that say which version of a logo a file is, and of its format. */
const WEIGHTS = wordTable<number>([
  [2, 'primary principal primario primaire main full horizontal horz hor landscape default master .svg'],
  [1, 'standard positive color colour colored coloured rgb fullcolor combined'],
  [-1, 'black mono monochrome dark grey gray vertical stacked square small mini secondary'],
  [-1, 'cmyk pms print outline name tagline'],
  [-2, 'on bg .gif'],
  [-3, 'icon icons mark logomark symbol emblem signet favicon avatar monogram .jpg .jpeg'],
  [-6, '.ico'],
])
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
  'project projects partner partners client clients customer customers sponsor sponsors member members vendor vendors third external deprecated archive archived old legacy previous former obsolete team teams companies organisations organizations subsidiaries portfolio showcase demo test tests fixtures social misc',
)
