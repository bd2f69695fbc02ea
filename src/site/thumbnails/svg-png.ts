import { initWasm, Resvg } from '@resvg/resvg-wasm'

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
  const options = { font: { loadSystemFonts: false }, ...(ground !== undefined && { background: ground }) }
  const { width, height } = new Resvg(svg, options)
  const mode = width >= height ? 'width' : 'height'
  return new Resvg(svg, { ...options, fitTo: { mode, value: size } }).render().asPng()
}

/** The program is loaded once: it is written in Rust, so that drawings do not see each other's memory. */
let started: Promise<void> | undefined
