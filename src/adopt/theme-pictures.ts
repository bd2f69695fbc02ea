import { dirname } from 'node:path/posix'
import { filename, isLightName } from '#brand/file.ts'
import { colorDistance, likenessOf } from '#brand/pictures/likeness.ts'
import type { Silhouette } from '#brand/pictures/silhouette.ts'
import { settleAll } from '#platform/base/promise.ts'
import { inFormats } from '#platform/base/text.ts'
import type { Accent } from './accent.ts'
import type { Artwork } from './artwork.ts'
import {
  BY_SETTINGS,
  byWeight,
  type Candidate,
  drawnInHeaders,
  findCandidates,
  type PictureSource,
} from './logo/evidence.ts'
import { brandOf, formatWeight, isCalledLogo, isCalledSign, isVersionOf, versionWeight, wordsOf } from './logo/names.ts'
import type { Notes } from './report/report.ts'
import type { FilePlan } from './site/links.ts'
import { shownPath } from './sources/source.ts'

type Theme = { logo?: string; logoDark?: string; icon?: string; accent?: string; dark?: string }

type Looks = { accent: Accent | undefined; artwork: Artwork; guessed: Notes['guessed'] }

/**
 * The pictures of a theme: what the source itself shows, else by the name of the brand and words in paths. Without a logo,
 * the theme has another key, so that the website takes no picture by its name.
 */
export async function themeOf(
  files: readonly FilePlan[],
  source: PictureSource,
  { accent, artwork, guessed }: Looks,
): Promise<{ theme: Theme | undefined; drawn: FilePlan[] }> {
  const pictures = files.filter(isShowable)
  const logoFiles = pictures.map(({ entry }) => entry.path).filter(path => isCalledLogo(path))
  const brand = brandOf(source.name ?? '', logoFiles)
  const { logos, icons } = await findCandidates(source, pictures, brand)
  const drawAll = (some: readonly Candidate[]) =>
    settleAll(some.slice(0, MAX_MEASURED).map(each => draw(each, artwork)))
  const drawn = await drawAll(logos)
  const inHeaders = await drawAll(drawnInHeaders(source, files))
  const asIcons = await drawAll(icons.slice(0, MAX_ICONS).map(icon => ({ ...icon, place: 0, name: 0 })))
  const candidates = drawn.length > 0 ? withShownDrawings(drawn, inHeaders, asIcons) : inHeaders
  const ranked = candidates.sort(byWeight)
  const light = ranked.filter(each => each.isLight)
  const named = ranked.filter(each => !each.isLight)
  const onLight = named.length > 0 ? named : await versionsOnLight(light, pictures, artwork)
  const set = source.darkLogos.flatMap(path => pictures.filter(({ entry }) => entry.path === path))
  const partners = onLight.length === 0 ? light : partnersOf(onLight, light)
  const onDark = [...set.map(file => ({ file, why: BY_SETTINGS })), ...partners]
  const signs = onLight.filter(({ file }) => isCalledSign(file.entry.path, brand))
  const icon = icons.length > 0 ? icons : signs.map(({ file }) => ({ file, why: 'the sign of the brand, by its name' }))
  const theme: Theme = {}
  for (const [key, [chosen, ...others]] of Object.entries({ logo: onLight, logoDark: onDark.slice(0, 1), icon })) {
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
    const why = light.length > 0 ? ONLY_LIGHT : NO_LOGO
    guessed.push({ path: '.', key: 'theme.logo', value: '', why, candidates: [] })
    theme.dark = 'auto'
  }
  const places = new Set(Object.values(theme))
  const written = inHeaders.map(({ file }) => file).filter(({ to }) => places.has(to))
  return { theme: places.size > 0 ? theme : undefined, drawn: written }
}

const ONLY_LIGHT = 'the logo is light, so light pages have it on a dark plate'
const NO_LOGO = 'no picture is surely the logo, so the name is set as text'
const MAX_MEASURED = 24
const MAX_ICONS = 4

function isShowable({ entry, to }: FilePlan): boolean {
  return SHOWABLE.test(to) && entry.size <= MAX_BYTES
}

const SHOWABLE = inFormats('svg, png, jpg, jpeg, webp, avif, gif, ico')
const MAX_BYTES = 1_000_000

/** The versions of the best light logo that are dark enough for light pages: files with its name and more words in its folder. */
async function versionsOnLight(light: readonly Drawn[], pictures: readonly FilePlan[], artwork: Artwork) {
  const versions = light.slice(0, 1).flatMap(({ file: { entry: logo } }) => {
    const isBeside = ({ entry }: FilePlan) => dirname(entry.path) === dirname(logo.path)
    return pictures.filter(file => isBeside(file) && isVersionOf(file.entry.path, logo.path))
  })
  const candidates = versions.map(file => {
    const name = filename(file.entry.path)
    const weight = versionWeight(name) + formatWeight(file.to) - wordsOf(name).length
    return { file, why: 'the version of the light logo for light pages', place: 0, name: weight }
  })
  const best = candidates.toSorted(byWeight).slice(0, MAX_MEASURED)
  return (await settleAll(best.map(each => draw(each, artwork)))).filter(each => !each.isLight)
}

/** A candidate with its drawing, if it can be measured. */
type Drawn = Candidate & { isLight: boolean | undefined; ink: Silhouette | undefined }

async function draw(candidate: Candidate, artwork: Artwork): Promise<Drawn> {
  const { file, name } = candidate
  const isLight = await artwork.isLight(file)
  // White letters beside a coloured sign are not light as a whole.
  const isForDark = !isLight && isLightName(filename(file.to))
  return { ...candidate, name: name - FOR_DARK * Number(isForDark), isLight, ink: await artwork.inkOf(file) }
}

/** More than a logo in black has less. */
const FOR_DARK = 3

/**
 * The candidates, in which a drawing counts as shown in each of its files, and in the source of a page: also in a vector, and
 * in other colours. That of an icon decides between equal ones.
 */
function withShownDrawings(
  candidates: readonly Drawn[],
  inHeaders: readonly Drawn[],
  icons: readonly Drawn[],
): Drawn[] {
  const shownDrawings = [...candidates, ...inHeaders]
  return candidates.map(each => {
    const { name: ownName, file } = each
    const name = ownName + AS_ICON * Number(icons.some(icon => compare(icon, each).isSame))
    const copies = shownDrawings.flatMap(other => {
      const { isSame, distance } = compare(other, each)
      if (!isSame) return []
      // The format decides between files with equal drawings.
      const sameName = other.name + formatWeight(file.to) - formatWeight(other.file.to)
      const why = `the same drawing as ${shownPath(other.file.entry)}: ${other.why}`
      return [{ ...each, place: other.place - COPY, name: distance > MAX_DISTANCE ? name - RECOLORED : sameName, why }]
    })
    const own = { ...each, name }
    const [best = own] = [own, ...copies.filter(({ place }) => place > each.place)].sort(byWeight)
    return best
  })
}

/** Whether two pictures have the same drawing, and how far its colours are apart. */
function compare({ ink: one }: Drawn, { ink: other }: Drawn): { isSame: boolean; distance: number } {
  if (!one || !other) return { isSame: false, distance: 0 }
  return { isSame: likenessOf(one, other) >= SAME_DRAWING, distance: colorDistance(one, other) }
}

/** Other drawings of a brand, such as one with a tagline, have less, and one with fading colours has more. */
const SAME_DRAWING = 0.8
const MAX_DISTANCE = 40
/** Less than a sign has less than a logo, of which it is a part. */
const AS_ICON = 1
const RECOLORED = 5
/** Less than a better format, and more than the place of a file in its header. */
const COPY = 1.5

/** The light versions of a logo: those of the same drawing, then the one with most of its words, then one in its folder. */
function partnersOf(logos: readonly Drawn[], light: readonly Drawn[]): Drawn[] {
  return logos.slice(0, 1).flatMap(logo => {
    const { entry } = logo.file
    const own = new Set(wordsOf(filename(entry.path)))
    const ranked = light.map(each => {
      const { path } = each.file.entry
      const shared = own.intersection(new Set(wordsOf(filename(path)))).size
      const rank = 9 * Number(compare(logo, each).isSame) + 2 * shared + Number(dirname(path) === dirname(entry.path))
      return { ...each, why: 'light artwork beside the logo', rank }
    })
    return ranked.filter(({ rank }) => rank > 0).sort((a, b) => b.rank - a.rank)
  })
}
