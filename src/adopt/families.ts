import { basename } from 'node:path/posix'
import { filename } from '#brand/file.ts'
import type { FontFace } from '#brand/tokens/found-styles.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { weightOfName, withoutSlope } from '#formats/font/font-weight.ts'
import { inFormats, nameWords, percentDecode, withoutQuery, wordSet } from '#platform/base/text.ts'
import type { Artwork } from './artwork.ts'
import type { FilePlan } from './site/links.ts'

/** The families that fonts lack, by their places, and the own names of fonts that sheets rename. */
export type Families = {
  missing: ReadonlyMap<string, { family: string; why: string }>
  own: ReadonlyMap<string, string>
}

/** Names families by the font's own names, else by its `@font-face`, else by its file. */
export async function familiesOf(
  files: readonly FilePlan[],
  faces: readonly FontFace[],
  { familyOf }: Pick<Artwork, 'familyOf'>,
): Promise<Families> {
  const [missing, own] = [new Map<string, { family: string; why: string }>(), new Map<string, string>()]
  for (const file of files.filter(({ to }) => FONTS.test(to)).slice(0, MAX_FONTS)) {
    const named = await familyOf(file)
    const face = faces.find(({ addresses }) => addresses.some(address => isOf(address, file)))
    const family = face ? face.family : fileFamily(filename(file.to))
    const why = `the font has no name, and its ${face ? '@font-face' : 'file'} has`
    if (named === undefined) missing.set(file.to, { family, why })
    else if (face) own.set(family, own.get(family) ?? named)
  }
  return { missing, own }
}

/** Type styles with the own names of fonts in place of names in sheets. */
export function withOwnFamilies(types: readonly TypeStyle[], own: Families['own']): TypeStyle[] {
  return types.map(({ family = '', ...style }) =>
    family === '' ? style : { ...style, family: own.get(family) ?? family },
  )
}

const FONTS = inFormats('woff, woff2, otf, ttf')
const MAX_FONTS = 500

function isOf(address: string, { entry }: FilePlan): boolean {
  const path = percentDecode(withoutQuery(address)) ?? ''
  return basename(path).toLowerCase() === basename(entry.path).toLowerCase()
}

/** The name of a file without the words of its cut: `Marsh_regular` becomes `Marsh`. */
function fileFamily(name: string): string {
  const words = nameWords(name)
  const cut = words.findIndex((word, at) => at > 0 && isCut(word))
  return words.slice(0, cut === -1 ? undefined : cut).join(' ')
}

/** Whether a word is a weight, also as a number, a slope, both, or a kind of file. */
function isCut(word: string): boolean {
  const { upright } = withoutSlope(word)
  return weightOfName(upright) !== undefined || Number(word) >= MIN_WEIGHT || KINDS.has(upright.toLowerCase())
}

/** A smaller number is a part of the name: `Avenir 85`. */
const MIN_WEIGHT = 100
/** The words of files, and none, which is left of a slope. */
const KINDS: ReadonlySet<string> = new Set([
  '',
  ...wordSet('webfont web vf variable variablefont subset latin cyrillic greek vietnamese woff woff2 ttf otf eot'),
])
