import { readCssColor } from '#formats/css/css-color.ts'
import type { Pixels } from '#formats/picture/shrink.ts'

/**
 * The percentages of near-white and near-black where transparent artwork meets the page. Colours inside others, such as
 * white letters in a badge, do not count, and soft shadows hardly. The edges of the picture do not count either, where
 * pixels may be half covered: a drawing on white paper of its own needs no other ground.
 */
export function outlineOf(outline: readonly OutlinePixel[]): { light: number; dark: number } {
  // Sums of weights.
  let [light, dark, all] = [0, 0, 0]
  for (const { color, weight } of outline) {
    const luma = 0.2126 * (color >> 16) + 0.7152 * ((color >> 8) & 255) + 0.0722 * (color & 255) // ITU-R BT.709 §3.2
    if (luma >= MIN_LIGHT) light += weight
    if (luma <= MAX_DARK) dark += weight
    all += weight
  }
  const percent = (weight: number) => Math.floor((100 * weight) / (all || 1))
  return { light: percent(light), dark: percent(dark) }
}

/** A pixel where artwork meets transparency: the colour as a number, and its part in the outline. */
type OutlinePixel = { color: number; weight: number }

/** The pixels that are more opaque than a neighbour. The outermost pixels of the picture count as opaque. */
export function outlinePixels({ data, width, height }: Pixels): OutlinePixel[] {
  const outline: OutlinePixel[] = []
  const colorAt = colorReader(data)
  const opacityAt = (x: number, y: number) =>
    x < 1 || y < 1 || x > width - 2 || y > height - 2 ? 255 : (data[4 * (y * width + x) + 3] ?? 0)
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const opacity = opacityAt(x, y)
      const lowest = Math.min(opacityAt(x - 1, y), opacityAt(x + 1, y), opacityAt(x, y - 1), opacityAt(x, y + 1))
      const step = opacity - lowest
      if (step > 0) outline.push({ color: colorAt(y * width + x), weight: step * opacity })
    }
  return outline
}

/** Gives the colours of pixels as numbers of three bytes, without their opacity. */
function colorReader({ buffer, byteOffset }: Pixels['data']): (at: number) => number {
  const view = new DataView(buffer, byteOffset)
  return at => view.getUint32(4 * at) >>> 8
}

/**
 * The colour along all edges of an opaque picture, as `#` and six hex digits; undefined if they have several, or are
 * transparent anywhere but in slightly rounded corners.
 */
export function edgeOf({ data, width, height }: Pixels): string | undefined {
  const colorAt = colorReader(data)
  const middleOfTop = colorAt(width >> 1)
  const corner = Math.min(width, height) / MAX_ROUNDED
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    // The distances from the nearest edges.
    const [across, down] = [Math.min(x, width - 1 - x), Math.min(y, height - 1 - y)]
    const isClear = data[4 * at + 3] !== 255
    const isInside = Math.min(across, down) > 0
    const isInCorner = Math.max(across, down) < corner
    if (isInside || (isClear && isInCorner)) continue
    if (isClear || !isNear(middleOfTop, colorAt(at), EVEN)) return undefined
  }
  return hexOf(middleOfTop)
}

function hexOf(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`
}

/**
 * The main colours that meet the ground, as `#` and six hex digits, most frequent first. Artwork that fills its picture
 * meets it only at its edges: it has one colour if it is plain, else none, because it brings its own ground.
 */
export function paintsOf({ data }: Pixels, outline: readonly OutlinePixel[]): string[] {
  const colorAt = colorReader(data)
  const weights = new Map<number, number>()
  const add = (color: number, weight: number) => weights.set(color, (weights.get(color) ?? 0) + weight)
  for (const { color, weight } of outline) add(color, weight)
  const isFilled = weights.size === 0
  // Without an outline, all opaque pixels count.
  if (isFilled) for (let at = 0; 4 * at < data.length; at++) if ((data[4 * at + 3] ?? 0) > 127) add(colorAt(at), 1)
  // The most frequent colour of similar ones stands for all of them.
  const paints: { color: number; weight: number }[] = []
  let sum = 0
  for (const [color, weight] of [...weights].sort(([, one], [, other]) => other - one)) {
    sum += weight
    const similar = paints.find(paint => isNear(paint.color, color))
    if (similar) similar.weight += weight
    else if (paints.length < MAX_PAINTS) paints.push({ color, weight })
  }
  const main = paints.filter(({ weight }) => weight >= MIN_PAINT * sum).slice(0, MAX_MAIN)
  return isFilled && main.length > 1 ? [] : main.map(({ color }) => hexOf(color))
}

/** Whether few readers would tell two colours apart in a logo: the steps of a blend, or of a rounded edge. */
function isNear(one: number, other: number, limit = NEAR): boolean {
  const distanceIn = (shift: number) => Math.abs(((one >> shift) & 255) - ((other >> shift) & 255))
  return Math.max(distanceIn(16), distanceIn(8), distanceIn(0)) <= limit
}

/** In steps of 255. */
const NEAR = 24
/** The steps along an edge that readers see as one colour. */
const EVEN = 8
/** The largest rounded corner is this part of the shorter side: those of app icons are larger, and part of their shape. */
const MAX_ROUNDED = 16
const MAX_PAINTS = 64
const MAX_MAIN = 6
/** The smallest share of a main colour. */
const MIN_PAINT = 0.04

/** `#d9d9d9` has a contrast of 1.4 with white, `#323232` one of 1.4 with our dark pages. */
const MIN_LIGHT = 217
const MAX_DARK = 50

/**
 * An SVG that our renderer can draw, with nearly the same outline: its text is bars, because its fonts are missing, and
 * its CSS is rewritten as the renderer knows it: variables and colours as hex, and no conditions, layers and nesting.
 */
export function simplified(svg: string): string {
  const withoutConditions = svg
    // Comments; one that is not closed stays.
    .replace(/\/\*.*?\*\/|(\/\*.*)/gs, '$1')
    // @media (…) { a { … } }
    .replace(/@media(?<!@media[^{}]*?@media)[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
  const variables = new Map(
    Array.from(withoutConditions.matchAll(VARIABLE), ([, name = '', value = '']): [string, string] => [name, value]),
  )
  return (
    withoutConditions
      .replace(NESTED, '$1')
      .replace(NESTED, '$1')
      // var(--ink), var(--ink, #000)
      .replace(
        /var\(\s*(--[\w-]+)\s*(?:,\s*(?!\s)([^()]*))?\)/g,
        (_, name, fallback) => variables.get(name) ?? fallback ?? 'none',
      )
      .replace(/\b(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch)|color)\([^()]*\)/gi, asHex)
      .replace(/light-dark\(([^,()]*),[^()]*\)/g, '$1')
      .replace(/:root\b/g, 'svg')
      .replace(/!\s*important/gi, '')
      .replace(/<text(?=[\s>])/g, '<rect width="30%" height="10%"')
      .replaceAll('</text>', '</rect>')
      .split('<')
      .map(renameTextInRules)
      .join('<')
  )
}

/** `--ink: #14212b`, in a rule or a `style` attribute. */
const VARIABLE = /(--(?<!--[\w-]*?--)[\w-]+)\s*:\s*([^;{}"'<]+)/g

/** A part without tags: `text` selects what is a bar now, in the selectors before the last declarations. */
function renameTextInRules(css: string): string {
  const end = css.lastIndexOf('}') + 1
  return css.slice(0, end).replace(/(?<=[\s,;}>])text(?=[\s,.#{])/g, 'rect') + css.slice(end)
}

/**
 * A rule around others, which the replacement leaves: `@layer a { b { … } }` becomes `b { … }`. Two levels need two
 * turns.
 */
const NESTED = /(?<![^{};>])[^{};<>]*\{((?:[^{}<]*\{[^{}<]*\})+)[^{}<]*\}/g

/** A colour as hex, with its alpha if it has one; unchanged if it cannot be read. */
function asHex(css: string): string {
  const { hex = css, alpha = 1 } = readCssColor(css) ?? {}
  const alphaByte = Math.round(alpha * 255).toString(16)
  return alpha < 1 ? hex + alphaByte.padStart(2, '0') : hex
}
