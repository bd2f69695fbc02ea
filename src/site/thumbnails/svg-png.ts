import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { isDrawable } from './drawable-svg.ts'

/**
 * Draws an SVG as a PNG whose longer side has `size` pixels, on a colour such as `#14212b` or transparent. Throws if it
 * is damaged, or would not look as in browsers.
 */
export async function svgToPng(
  svg: string,
  size: number,
  ground: string | undefined,
  program: () => Uint8Array,
): Promise<Uint8Array> {
  if (!isDrawable(svg)) throw new Error('this SVG cannot be drawn as browsers do')
  await start(program)
  const options = { font: { loadSystemFonts: false }, ...(ground !== undefined && { background: ground }) }
  const { width, height } = new Resvg(svg, options)
  const mode = width >= height ? 'width' : 'height'
  return new Resvg(svg, { ...options, fitTo: { mode, value: size } }).render().asPng()
}

let started: Promise<void> | undefined

/** Loads the WebAssembly program once; it is written in Rust, so that drawings do not see each other's memory. */
function start(program: () => Uint8Array): Promise<void> {
  started ??= initWasm(program())
  return started
}
