import { readFileSync } from 'node:fs'
import { memoize } from '#platform/base/text.ts'
import { stillOf } from './animation.ts'
import type { Pixels } from './shrink.ts'

/* Untrusted pictures: call these only in a child process. */

/**
 * Decodes a PNG, JPEG or WebP. The decoders written in C get new memory for each picture, so that a picture that
 * exploits an overflow finds no data of others. The decoder written in Rust is memory-safe (decisions/0290).
 */
export async function decode(bytes: Uint8Array, contentType: string): Promise<Pixels> {
  const { buffer } = new Uint8Array(stillOf(Buffer.from(bytes), contentType))
  if (contentType === 'image/jpeg') {
    const { default: decodeJpeg, init } = await import('@jsquash/jpeg/decode.js')
    await init({ wasmBinary: program('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm') })
    return decodeJpeg(buffer, { preserveOrientation: true })
  }
  if (contentType === 'image/webp') {
    const { default: decodeWebp, init } = await import('@jsquash/webp/decode.js')
    await init({ wasmBinary: program('@jsquash/webp/codec/dec/webp_dec.wasm') })
    return decodeWebp(buffer)
  }
  const { default: decodePng, init } = await import('@jsquash/png/decode.js')
  await init(program('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
  return decodePng(buffer)
}

export async function encodePng({ data, width, height }: Pixels): Promise<Uint8Array> {
  const { default: encode, init } = await import('@jsquash/png/encode.js')
  await init(program('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
  return new Uint8Array(await encode({ data, width, height, colorSpace: 'srgb' }))
}

/** Draws an SVG as a PNG whose longer side has `size` pixels, on a colour such as `#14212b` or transparent. */
export async function drawSvg(svg: string, size: number, ground?: string): Promise<Uint8Array> {
  const { svgToPng } = await import('./svg-png.ts')
  return svgToPng(svg, size, ground, () => program('@resvg/resvg-wasm/index_bg.wasm'))
}

/** A drawing of the first frame of a GIF, which only our renderer can decode, and the length of its longer side. */
export function aroundGif(bytes: Uint8Array, maxSize: number): { svg: string; size: number } {
  const gif = Buffer.from(bytes)
  const [width, height] = [gif.readUInt16LE(6), gif.readUInt16LE(8)]
  const data = stillOf(gif, 'image/gif').toString('base64')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/gif;base64,${data}"/></svg>`
  return { svg, size: Math.min(maxSize, Math.max(width, height)) }
}

/** Reads a WebAssembly program at a path in a package, once. */
export const program = memoize(path => new Uint8Array(readFileSync(new URL(import.meta.resolve(path)))))
