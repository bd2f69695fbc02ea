import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { withoutUndefined } from '#platform/base/object.ts'

/**
 * Draws an SVG as a PNG whose longer side has `size` pixels, on a colour such as `#14212b` or transparent. Throws if it
 * is damaged.
 */
export async function svgToPng(
  svg: string,
  size: number,
  ground: string | undefined,
  program: () => Uint8Array,
): Promise<Uint8Array> {
  started ??= initWasm(program())
  await started
  const options = { font: { loadSystemFonts: false }, ...withoutUndefined({ background: ground }) }
  const { width, height } = new Resvg(svg, options)
  const isThin = Math.min(width, height) * size < Math.max(width, height)
  const drawn = isThin ? stretched(svg, width, height, size) : svg
  const mode = width >= height ? 'width' : 'height'
  return new Resvg(drawn, { ...options, fitTo: { mode, value: size } }).render().asPng()
}

/** A drawing of a line, such as 1440 × 1, whose shorter side gets one pixel. The renderer refuses less. */
function stretched(svg: string, width: number, height: number, size: number): string {
  const sides = `width="${width < height ? 1 : size}" height="${width < height ? size : 1}"`
  const data = Buffer.from(svg).toString('base64')
  return `<svg xmlns="http://www.w3.org/2000/svg" ${sides}><image ${sides} preserveAspectRatio="none" href="data:image/svg+xml;base64,${data}"/></svg>`
}

/** The program is loaded once: it is written in Rust, so that drawings do not see each other's memory. */
let started: Promise<void> | undefined
