import type { Color } from '#brand/color.ts'
import { oklchOf } from '#brand/styles/oklch.ts'
import { anyOf, wordsIn } from '#platform/base/text.ts'

/** The colour of links and buttons, and the reason for it. */
export type Accent = { color: Color; why: string }

/**
 * The accent of a guide, which is never a neutral or a partner's: the first of its colours that `settings` name (as hex),
 * that the site uses for links and buttons (`links`, as hex), that is called the main one by its name, group or use, or
 * that the palette states, which may begin with a shade of it.
 */
export function accentOf(colors: readonly Color[], settings: string, links: readonly string[]): Accent | undefined {
  const vivid = colors.filter(({ hex, group = '' }) => oklchOf(hex).chroma >= MIN_CHROMA && !OTHERS.test(group))
  const withHex = (hexes: readonly string[]) => hexes.flatMap(hex => vivid.filter(color => color.hex === hex))
  const named = vivid.filter(({ group = '', name, use = '' }) => [group, name, use].some(text => MAIN.test(text)))
  const [best] = [
    ...withHex([settings.toLowerCase()]).map(color => ({ color, why: 'the settings say so' })),
    ...withHex(links).map(color => ({ color, why: 'the site uses it for links or buttons' })),
    ...named.map(color => ({ color, why: 'the first colour of the brand, by its name, group or use' })),
    ...plainFirst(vivid).map(color => ({ color, why: 'the first colour that is no neutral' })),
  ]
  return best
}

/** The colours, with the one before the first that this is a shade of by its name and hue, such as `Red` before `Red dark`. */
function plainFirst(colors: readonly Color[]): Color[] {
  return colors.slice(0, 1).flatMap(first => {
    const isPlain = ({ name, hex }: Color) =>
      first.name.startsWith(`${name} `) && Math.cos(oklchOf(hex).hue - oklchOf(first.hex).hue) > SAME_HUE
    return [...colors.filter(isPlain), first]
  })
}

/** The chroma in OKLCH: slate and beige have less, and navy more. */
const MIN_CHROMA = 0.05
/** The cosine of about 25 degrees. */
const SAME_HUE = 0.9
/** Words such as `Primary`, `Primärfarben`, `Color principal`, `Hauptfarbe`, `主色`, and texts that begin with `Brand`. */
const MAIN = new RegExp(
  String.raw`^brand|(?<!\p{L})${anyOf(wordsIn('prima, primä, primá, princip, main colo, haupt, huvud, hoved, hoofd, основн, 主色, メイン'))}`,
  'iu',
)
const OTHERS = new RegExp(anyOf(wordsIn('partner, co-brand, cobrand, third part, third-part')), 'i')
