import { basename, dirname, extname, join } from 'node:path/posix'
import { filename } from '#brand/file.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { anyOf, compareStrings, groupsOf, inFormats, percentDecode, wordSet, wordsIn } from '#platform/base/text.ts'
import type { Accent } from './accent.ts'
import type { Artwork } from './artwork.ts'
import type { ConvertedPage, PageHead } from './pages/page.ts'
import type { Notes } from './report/report.ts'
import type { FilePlan } from './site/links.ts'
import type { SiteFacts } from './sources/facts.ts'
import { type Entry, shownPath } from './sources/source.ts'

/** The parts of a source that show its logos and icons: its name and settings, its pages in HTML, and its files. */
export type PictureSource = Pick<SiteFacts, 'name' | 'logos' | 'darkLogos' | 'icons'> & {
  pages: readonly { entry: Entry; page: Pick<ConvertedPage, 'head'> }[]
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
  const logoFiles = pictures.filter(file => hasWord(file, LOGOS)).map(({ entry }) => filename(entry.path))
  const brand = logoFiles.some(name => isNamed(name, named)) ? named : named.union(commonWords(logoFiles))
  const usable = pictures.filter(file => !isOfOthers(file, brand))
  const { logos, darkLogos, icons } = await candidatesOf(source, usable, brand)
  const light = new Set<Candidate>()
  for (const each of logos.slice(0, MAX_MEASURED)) if (await artwork.isLight(each.file)) light.add(each)
  const [logo, ...others] = logos.filter(each => !light.has(each))
  const beside = partner(logo?.file, [...light])
  const logoDark = darkLogos[0] ?? (beside && { file: beside, why: 'light artwork beside the logo' })
  const isTakenByName = !logo && pictures.some(file => hasWord(file, LOGOS))
  const choices = { logo: [logo, ...others], logoDark: [logoDark], icon: icons }
  for (const [key, [chosen, ...next]] of Object.entries(choices)) {
    const candidates = next.slice(0, 2).flatMap(each => each?.file.to ?? [])
    const row = chosen ? { path: shownPath(chosen.file.entry), value: chosen.file.to, why: chosen.why } : NONE
    if (chosen || (isTakenByName && key === 'logo')) guessed.push({ ...row, key: `theme.${key}`, candidates })
  }
  if (accent) guessed.push({ path: '.', key: 'theme.accent', value: accent.color.id, why: accent.why })
  const theme = withoutUndefined({
    logo: logo?.file.to,
    logoDark: logoDark?.file.to,
    icon: icons[0]?.file.to,
    accent: accent?.color.id,
    dark: isTakenByName ? ('auto' as const) : undefined,
  })
  return Object.keys(theme).length > 0 ? theme : undefined
}

/** The pictures that may be logos and icons, the best first. */
async function candidatesOf(source: PictureSource, usable: readonly FilePlan[], brand: ReadonlySet<string>) {
  const find = (paths: readonly string[]) =>
    paths
      .flatMap(path => usable.find(({ entry }) => entry.path === path) ?? [])
      .map(file => ({ file, why: 'the settings say so' }))
  const shown = (addressesIn: (head: PageHead) => readonly (string | undefined)[], why: string) =>
    source.pages
      .flatMap(({ entry, page: { head } }) =>
        (head ? addressesIn(head) : []).map(address => resolved(address, entry.path, usable)),
      )
      .flatMap(file => (file ? [{ file, why }] : []))
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
    ...shown(({ image }) => [image], 'links to the site show it').filter(({ file }) => hasWord(file, MARKS)),
    // The icon of a site is often only a part of its logo.
    ...byName(
      usable.filter(file => !isIcon(file)),
      brand,
    ),
    ...byName(usable.filter(isIcon), brand),
  ])
  return { logos, darkLogos: find(source.darkLogos), icons }
}

const NONE = { path: '.', value: '', why: 'no picture is surely the logo, so the name is set as text' }
const MAX_MEASURED = 12

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
  const apart = text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .normalize('NFKD')
    .toLowerCase()
  return apart.replace(/[\u0300-\u036f'’]/g, '').match(/\p{L}+|\d+/gu) ?? []
}

/** The words of a brand's name that say which one it is, and the initials of them all. */
function brandWords(name: string): ReadonlySet<string> {
  const words = wordsOf(name)
  // Files have `HeyJobs` also as one word.
  const own = [...new Set([...words, ...wordsOf(name.toLowerCase())])].filter(
    word => !PLAIN.has(word) && !COMMON.has(word),
  )
  const begin = words.findIndex(word => own.includes(word))
  const end = words.findLastIndex(word => own.includes(word)) + 1
  const initials = [words, own, words.slice(begin, end)]
    .map(each => each.map(([first = '']) => first).join(''))
    .filter(text => text.length > 2)
  const apart = words.filter(word => own.includes(word)).join('')
  return new Set([...own, apart, ...initials].filter(word => word.length > 1))
}

/** The words that most names of logo files share, which are those of their brand. */
function commonWords(names: readonly string[]): ReadonlySet<string> {
  const words = names.flatMap(name => [...new Set(wordsOf(name))]).filter(word => !isKnown(word, NO_WORDS))
  const most = Map.groupBy(words, word => word)
    .values()
    .filter(same => same.length > 1 && 3 * same.length >= 2 * names.length)
  return new Set(most.flatMap(same => same.slice(0, 1)))
}

const NO_WORDS: ReadonlySet<string> = new Set()

/** Whether one of the brand's words is in a text, also with others without a space: `acmelogo`. */
function isNamed(text: string, brand: ReadonlySet<string>): boolean {
  const begins = (word: string, own: string) =>
    word.startsWith(own) && own.length > 2 && (own.length > 3 || word.length <= own.length + 1)
  return wordsOf(text).some(word => brand.has(word) || [...brand].some(own => begins(word, own)))
}

function hasWord({ entry }: FilePlan, list: ReadonlySet<string>): boolean {
  return wordsOf(basename(entry.path)).some(word => list.has(word))
}

/** Whether a picture belongs to another brand or a licence, or shows several marks or how not to use one. */
function isOfOthers({ entry }: FilePlan, brand: ReadonlySet<string>): boolean {
  const folders = dirname(entry.path)
    .split('/')
    .filter(folder => !folder.startsWith('.'))
  const name = filename(entry.path)
  const isForeign = (text: string) => wordsOf(text).some(word => !brand.has(word) && WRONG.has(word))
  const isBoard = wordsOf(name).some(word => BOARDS.has(word) && !brand.has(word))
  const isTheirs = folders.some(folder => wordsOf(folder).some(word => OTHERS.has(word) && !brand.has(word)))
  return isBoard || isTheirs || [...folders, name].some(isForeign)
}

/** Pictures that are logos by their names, the best first. */
function byName(pictures: readonly FilePlan[], brand: ReadonlySet<string>): Candidate[] {
  const scored = pictures.flatMap(file => {
    const { path } = file.entry
    const [words, folder, isOwn] = [wordsOf(filename(path)), dirname(path), isNamed(filename(path), brand)]
    const strange = words.filter(word => !isKnown(word, brand))
    const isNeutral = wordsOf(folder).every(word => isKnown(word, brand))
    const inFolder = wordsOf(folder).some(word => LOGOS.has(word))
    const isMark = words.some(word => MARKS.has(word)) || inFolder
    const isLogo = words.some(word => LOGOS.has(word)) || inFolder
    if (!(isOwn ? isMark : isLogo && isNeutral && strange.length === 0)) return []
    const isWhole = words.some(word => /^wordmark/.test(word)) // With an icon, it is the whole logo.
    const weight = weightOf(words.filter(word => !isWhole || !MARKS.has(word))) + weightOf(wordsOf(folder)) / 2
    const format = { '.svg': 2, '.jpg': -3, '.jpeg': -3, '.ico': -6, '.gif': -2 }[extname(path).toLowerCase()] ?? 0
    const score = (isOwn ? 6 : 0) + (words.some(word => LOGOS.has(word)) ? 4 : 0) + weight + format - strange.length
    const why = isOwn ? 'the name of the brand and the words of the path' : 'the words of the path'
    return [{ file, why, score: score - path.split('/').length / 10 }]
  })
  return scored.sort((a, b) => b.score - a.score || compareStrings(a.file.to, b.file.to))
}

function weightOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (WEIGHTS[word] ?? 0), 0)
}

function isKnown(word: string, brand: ReadonlySet<string>): boolean {
  return brand.has(word) || PLAIN.has(word) || MARKS.has(word) || word.length < 2 || /^\d/.test(word) || word in WEIGHTS
}

/** The light version of a logo: that with most of its words, in its folder before others. */
function partner(logo: FilePlan | undefined, light: readonly Candidate[]): FilePlan | undefined {
  if (logo === undefined) return undefined
  const own = wordsOf(filename(logo.entry.path))
  const rank = ({ file: { entry } }: Candidate) => {
    const shared = wordsOf(filename(entry.path)).filter(word => own.includes(word)).length
    return 2 * shared + Number(dirname(entry.path) === dirname(logo.entry.path))
  }
  const [best] = light.toSorted((a, b) => rank(b) - rank(a))
  return best && rank(best) > 0 ? best.file : undefined
}

/** The picture that an address leads to: beside its page, or else by the end of its path. */
function resolved(address: string | undefined, from: string, files: readonly FilePlan[]): FilePlan | undefined {
  const path = percentDecode((address ?? '').replace(/[?#].*$|^\w+:\/\/[^/]+/gs, '')) ?? ''
  const exact = join(dirname(from), path)
  const end = path.replace(/^.*(?:\{\{[^{}]*\}\}|%\w+%)|^(?:\.{0,2}\/|[~@]\/?)+/g, '')
  if (end === '') return undefined
  const ending = files.filter(({ entry }) => entry.path === end || entry.path.endsWith(`/${end}`))
  const shortest = ending.toSorted((a, b) => a.entry.path.length - b.entry.path.length)[0]
  return files.find(({ entry }) => entry.path === exact) ?? shortest
}

/** The pictures in the parts of a website that are on each page, by the names of their files. */
async function inParts(all: readonly Entry[], pictures: readonly FilePlan[]): Promise<Candidate[]> {
  const parts = all.filter(({ path, size }) => PART.test(path) && size <= MAX_PART).slice(0, MAX_PARTS)
  const found: Candidate[] = []
  for (const { path, read } of parts) {
    const text = await read(MAX_PART).then(String, () => '')
    for (const [address] of text.matchAll(PICTURE_PATH)) {
      const file = resolved(address, path, pictures)
      if (file && hasWord(file, MARKS)) found.push({ file, why: `${path} shows it on each page` })
    }
  }
  // Parts of pages also have icons, such as that of a menu.
  return found.toSorted((a, b) => Number(hasWord(b.file, LOGOS)) - Number(hasWord(a.file, LOGOS)))
}

const PARTS = 'header, nav, navbar, nav-bar, navigation, masthead, sidebar, side-bar, branding, logo, layout, default'
const PART = new RegExp(
  `(?:^|[\\w/_.-])${anyOf(wordsIn(PARTS))}${inFormats('html, njk, liquid, hbs, pug, js, jsx, ts, tsx, vue, svelte, astro, yml, yaml, json, toml, php').source}`,
  'i',
)
const MAX_PART = 64 << 10
const MAX_PARTS = 30
const PICTURE_PATH = /[\w@~%.{}/ -]{1,300}\.(?:svg|png|webp|avif|gif|jpe?g)(?![\w.])/gi

/** A vector or a large icon is better than a small one. */
function iconRank(address: string): number {
  if (/\.svg$/i.test(address)) return 1000
  if (/\.ico$/i.test(address)) return 1
  return /apple-touch-icon\.png/i.test(address) ? 180 : Number(groupsOf(/(\d{2,3})\D*$/, address)[1] ?? 16)
}

function iconsByName(pictures: readonly FilePlan[]): Candidate[] {
  const icons = pictures.filter(({ entry }) => /(?:^|\/)(?:favicon|apple-touch-icon)[^/]*$/i.test(entry.path))
  return icons
    .toSorted((a, b) => iconRank(b.entry.path) - iconRank(a.entry.path) || compareStrings(a.to, b.to))
    .map(file => ({ file, why: 'the name of the file' }))
}

const LOGOS = wordSet(
  'logo logos logotype logotypes wordmark wordmarks lockup lockups logomark brandmark logotyp logotipo logotipos logotypen logoer logon',
)
const MARKS = new Set([...LOGOS, ...wordSet('mark marks icon emblem symbol signet monogram avatar')])
/** Words of names that say which version of a logo a file is. */
const WEIGHTS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    [2, 'primary principal primario primaire main full horizontal horz hor landscape default master'] as const,
    [1, 'standard positive color colour colored coloured rgb fullcolor combined'] as const,
    [-1, 'black mono monochrome dark grey gray vertical stacked square small mini secondary'] as const,
    [-1, 'cmyk pms print outline name tagline'] as const,
    [-2, 'on bg'] as const,
    [-3, 'icon icons mark logomark symbol emblem signet favicon avatar monogram'] as const,
  ].flatMap(([weight, words]) => words.split(' ').map(word => [word, weight])),
)
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
