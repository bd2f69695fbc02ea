/** The letters of the longest word of a text; a word breaks as in browsers, and `60 × 40` does not. */
export function longestWord(text: string): number {
  return Math.max(0, ...text.split(BREAKS).map(lettersOf))
}

/** A word breaks after a hyphen; Chinese, Japanese and Korean after any character. */
const BREAKS = /(?<!\d [:×/]) (?![:×/] \d)|(?<=[-\u00ad\u2013\u2e80-\ufaff])/

/** Capitals, `m` and `w` are wider, and East Asian characters twice as wide. */
export function lettersOf(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return text.length + 0.25 * count(/\p{Lu}/gu) + 0.5 * count(/[mw]/gi) + 0.8 * count(/[\u2e80-\ufaff]/g)
}

/** The class of a title whose longest word would not fit next to the navigation in the usual size; undefined for others. */
export function longTitle(text: string): string | undefined {
  const letters = longestWord(text)
  return letters > 30 ? 'longest' : letters > 21 ? 'long' : undefined
}

/** The parts of a path such as `Primary/Hover`, after each of which a tile's name may break. */
export function stepsOf(name: string): string[] {
  return name.split(/(?<=\/)/)
}

/** The class of a tile's name that is too long for its usual size. `width` is the tile's, in 60ths of a row of 716 px. */
export function longName(name: string, width: number, usualSize: number): string[] {
  const size = ((716 * width) / 60 - 32) / (0.62 * Math.max(...stepsOf(name).map(longestWord)))
  if (size >= usualSize) return []
  return [`name-${NAME_SIZES.find(each => each <= size) ?? NAME_SIZES.at(-1)}`]
}

/** In pixels. */
export const NAME_SIZES = [32, 24, 18, 16, 14, 12]
