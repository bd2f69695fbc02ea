import { basename, dirname, join } from 'node:path/posix'
import { filename, fileStem, folderOf } from '#brand/file.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import {
  compareStrings,
  inFormats,
  lastNumber,
  percentDecode,
  withoutQuery,
  wordSet,
  wordsIn,
} from '#platform/base/text.ts'
import type { Document } from '../document.ts'
import { verdictIn } from '../pages/elements/verdict.ts'
import type { FilePlan } from '../site/links.ts'
import type { SiteFacts } from '../sources/facts.ts'
import { bytesEntry, type Entry } from '../sources/source.ts'
import {
  formatWeight,
  isAboutLogos,
  isCalledLogo,
  isCalledMark,
  isNamed,
  isOfOthers,
  nameWeight,
  saysNothing,
  versionWeight,
} from './names.ts'

/** The parts of a source that show its logos and icons: its name and settings, its pages, and its files. */
export type PictureSource = Pick<SiteFacts, 'name' | 'logos' | 'darkLogos' | 'icons'> & {
  pages: readonly Pick<Document, 'entry' | 'head' | 'text' | 'meta'>[]
  all: readonly Entry[]
}

/** A reason for a picture: a larger weight is a better one. */
type Sign = { file: FilePlan; why: string; weight: number }

/** A picture that may be the logo, with the weights of its name and of the best place that shows it. */
export type Candidate = { file: FilePlan; why: string; place: number; name: number }

/** The weights of places that show a picture. A name has at most about 16, and decides among those of a page. */
const PLACES = { settings: 90, header: 70, part: 50, page: 1 }
const OTHERS = -40
/** The icon of a site is often only a part of its logo. */
const ICON = -12
const MIN_WEIGHT = -20

/** The pictures that may be the logo, and the possible icons of the site, the best first. */
export async function findCandidates(source: PictureSource, pictures: readonly FilePlan[], brand: ReadonlySet<string>) {
  const find = pictureFinder(pictures)
  const own = pictures.filter(({ entry }) => !isOfOthers(entry.path, brand))
  const icons = iconsOf(source, own, pictureFinder(own))
  const iconFiles = new Set(icons.map(({ file }) => file))
  const shown = [
    ...source.logos.flatMap((path, at) => signsAt(find.exactly(path), PLACES.settings - at, BY_SETTINGS)),
    ...shownInHeads(source, find),
    ...(await shownInParts(source.all, find, brand)).filter(({ file }) => !iconFiles.has(file)),
    ...shownOnLogoPages(source, find, brand),
  ]
  const places = Map.groupBy(shown, ({ file }) => file)
  const logos = pictures.flatMap(file => {
    const { path } = file.entry
    const [best] = (places.get(file) ?? []).toSorted((a, b) => b.weight - a.weight)
    const weight = nameWeight(path, brand)
    if (!best && weight === undefined) return []
    const { weight: place = 0, why = isNamed(filename(path), brand) ? BY_BRAND : BY_WORDS } = { ...best }
    // A site may show its logo in a file that is named for a misuse, such as `logo-cropped.svg`.
    const others = place < PLACES.part && isOfOthers(path, brand) ? OTHERS : 0
    const name = (weight ?? 0) + others + (iconFiles.has(file) ? ICON : 0)
    return place + name < MIN_WEIGHT ? [] : [{ file, why, place, name }]
  })
  const isNoIcon = ({ file }: Candidate) => !isCalledIcon(file.entry.path)
  const named = logos.some(({ file }) => isCalledLogo(file.entry.path)) ? logos.filter(isNoIcon) : logos
  return { logos: named.sort(byWeight), icons }
}

/** Whether a file is named for the icon of a site, which is a logo only if no other file is called one. */
function isCalledIcon(path: string): boolean {
  return ICONS.some(icon => basename(path).toLowerCase().startsWith(icon))
}

export function byWeight(a: Candidate, b: Candidate): number {
  return b.place + b.name - a.place - a.name || compareStrings(a.file.to, b.file.to)
}

export const BY_SETTINGS = 'the settings say so'
const BY_BRAND = 'the name of the brand and the words of the path'
const BY_WORDS = 'the words of the path'

function signsAt(files: readonly FilePlan[], weight: number, why: string): Sign[] {
  return files.map(file => ({ file, why, weight }))
}

type PictureFinder = ReturnType<typeof pictureFinder>

/** Finds pictures by their paths in the source, or by addresses on pages. */
function pictureFinder(pictures: readonly FilePlan[]) {
  const byName = Map.groupBy(pictures, ({ entry }) => basename(entry.path))
  const exactly = (path: string) => (byName.get(basename(path)) ?? []).filter(({ entry }) => entry.path === path)
  return {
    exactly,
    /** The picture at an address: relative to its page, or else by the end of its path; none for other addresses. */
    at: (address: string, from: string): FilePlan[] => {
      const written = withoutQuery(address)
      const path = percentDecode(written) ?? written
      const end = path.replace(BEFORE_PATH, '')
      if (end === '') return []
      const ending = (byName.get(basename(end)) ?? []).filter(({ entry }) => `/${entry.path}`.endsWith(`/${end}`))
      const sorted = ending.toSorted((a, b) => a.entry.path.length - b.entry.path.length)
      return [...exactly(join(dirname(from), path)), ...sorted].slice(0, 1)
    },
  }
}

/** The site or the template before a path, and the signs for the root or folders above. */
const BEFORE_PATH = /^(?:\w+:\/\/[^/]+|.*[}%])?[./~@]*/s

/** The pictures in the headers of pages, of each the first one first. */
function shownInHeads({ pages }: PictureSource, find: PictureFinder): Sign[] {
  return pages.flatMap(({ entry, head }) => {
    const { logos = [] } = { ...head }
    return logos.flatMap((address, at) => signsAt(find.at(address, entry.path), PLACES.header - at, IN_HEADER))
  })
}

const IN_HEADER = 'the header of the site shows it'

/** The drawing in the header of the site that no file has, as a file of the new folder, unless that has another one there. */
export function drawnInHeaders({ pages }: PictureSource, files: readonly FilePlan[]): Candidate[] {
  const drawn = pages.flatMap(({ entry, head }) => {
    const place = { label: entry.label, path: `${entry.path}/@media/logo.svg` }
    return [head?.drawing].filter(svg => svg !== undefined).map(svg => bytesEntry(place, Buffer.from(svg)))
  })
  const isFree = files.every(({ to }) => to.toLowerCase() !== HEADER_LOGO)
  const score = { why: IN_HEADER, place: PLACES.header, name: formatWeight(HEADER_LOGO) }
  return isFree ? drawn.slice(0, 1).map(entry => ({ file: { entry, to: HEADER_LOGO }, ...score })) : []
}

const HEADER_LOGO = 'files/logo.svg'

/** The pictures in the parts of a website that are on each page, by the names of their files. */
async function shownInParts(all: readonly Entry[], find: PictureFinder, brand: ReadonlySet<string>): Promise<Sign[]> {
  const parts = all.filter(({ path, size }) => isPart(path) && size <= MAX_PART).slice(0, MAX_PARTS)
  // The picture of a brand that is named for something else is often a photograph.
  const isOwn = (path: string) => isNamed(filename(path), brand) && formatWeight(path) >= 0
  const isMark = (path: string) => isCalledMark(path, brand) || isOwn(path)
  const signs: Sign[] = []
  for (const { path, read } of parts) {
    const text = await read(MAX_PART).then(String, () => '')
    const pieces = text.split(NO_PATH)
    const marks = pieces.flatMap((piece, at) => {
      const files = SHOWABLE.test(piece) ? find.at(piece.trim(), path) : []
      // Parts of pages also have other icons, such as a menu's.
      return files.filter(({ entry }) => isMark(entry.path) || isAboutLogos(`${pieces[at - 1]}`, brand))
    })
    signs.push(...signsAt(marks, PLACES.part, `${path} shows it on each page`))
  }
  return signs
}

function isPart(path: string): boolean {
  const isCalledPart = PARTS.some(part => fileStem(path).toLowerCase().endsWith(part))
  const isInLayouts = folderOf(path)
    .split('/')
    .some(folder => LAYOUTS.has(folder))
  return basename(path) === COVER || (SOURCES.test(path) && (isCalledPart || isInLayouts))
}

const PARTS = wordsIn(
  'header, nav, navbar, nav-bar, navigation, masthead, sidebar, side-bar, topbar, top-bar, branding, logo, layout, default',
)
/** The page that a site opens on, before its home page. */
const COVER = '_coverpage.md'
const LAYOUTS = wordSet('_layouts layouts')
const SOURCES = inFormats(
  'html, njk, liquid, hbs, pug, js, jsx, ts, tsx, vue, svelte, astro, yml, yaml, json, toml, php',
)
const SHOWABLE = inFormats('svg, png, jpg, jpeg, webp, avif, gif, ico')
const MAX_PART = 64 << 10
const MAX_PARTS = 30
/** The signs around addresses in sources. */
const NO_PATH = /[^\w@~%./ -]+/

/**
 * The pictures in pages and sections about the logo, the first of each page first, and those below a heading such as *Primary logo*
 * before others; none below *Misuse*.
 */
function shownOnLogoPages({ pages }: PictureSource, find: PictureFinder, brand: ReadonlySet<string>): Sign[] {
  const isPossible = ({ entry: { path } }: FilePlan) =>
    (saysNothing(path) && formatWeight(path) >= 0) || nameWeight(path, brand) !== undefined
  return pages.flatMap(({ entry, text, meta }) => {
    const title = meta.title ?? fileStem(entry.path)
    const signs = text.split(HEADINGS).flatMap((section, at) => {
      const [heading = ''] = at === 0 ? [title] : section.split('\n', 1)
      const isAbout = [title, heading].some(name => isAboutLogos(name, brand))
      if (!isAbout || verdictIn(heading, MAX_OTHER_WORDS) === "Don't") return []
      const pictures = readMarkdown(section).links.filter(({ kind }) => kind === 'picture')
      const files = pictures.flatMap(({ source }) => find.at(source, entry.path)).filter(isPossible)
      return signsAt(files, PLACES.page + versionWeight(heading) / 10, 'the page about the logo shows it')
    })
    return signs.map((sign, at) => ({ ...sign, weight: sign.weight - Math.min(at, MAX_LATER) / 20 }))
  })
}

const HEADINGS = /^#{1,6} /m
const MAX_OTHER_WORDS = 9
const MAX_LATER = 10

/** The icons of a site: first the ones that its settings and pages name, then files with the name of an icon. */
function iconsOf({ icons, pages }: PictureSource, pictures: readonly FilePlan[], find: PictureFinder) {
  const inHeads = pages.flatMap(({ entry, head }) =>
    (head?.icons ?? []).toSorted((a, b) => iconRank(b) - iconRank(a)).flatMap(each => find.at(each, entry.path)),
  )
  const named = pictures
    .filter(({ entry }) => isCalledIcon(entry.path))
    .toSorted((a, b) => iconRank(b.entry.path) - iconRank(a.entry.path) || compareStrings(a.to, b.to))
  const signs = [
    ...signsAt(icons.flatMap(find.exactly), 3, BY_SETTINGS),
    ...signsAt(inHeads, 2, 'browsers show it'),
    ...signsAt(named, 1, 'the name of the file'),
  ]
  return signs.filter(({ file }, at) => signs.findIndex(each => each.file === file) === at)
}

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
const ICONS = wordsIn('favicon, apple-touch-icon')
