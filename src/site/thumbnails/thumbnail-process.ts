import process from 'node:process'
import { stillOf } from '#formats/picture/animation.ts'
import { aroundGif, decode, drawSvg, encodePng, program } from '#formats/picture/decode.ts'
import { type Pixels, shrink } from '#formats/picture/shrink.ts'
import { serial } from '#platform/base/promise.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { isDrawable } from './drawable-svg.ts'
import { CUT, PDF } from './thumbnail.ts'

/**
 * A picture or PDF to scale down, in parts: its bytes, then its type and the maximum width in pixels. For a JPEG, which is
 * opaque, and for a light PNG (`lightPng`), `width` is the length of the longer side.
 */
export type ThumbnailTask =
  | { bytes: Uint8Array }
  | { contentType: string; width: number; ground?: string; format?: 'jpeg' | 'light-png' }

/** The smaller picture as WebP, JPEG or PNG; failed if it is damaged, or if the decoder does not support it. */
export type ThumbnailAnswer = Result<Uint8Array, 'damaged'>

// The program of a child process, which ends when its parent disconnects.
const parts: Uint8Array[] = []
const inTurn = serial()
process.on('message', (task: ThumbnailTask) => {
  if ('bytes' in task) return void parts.push(task.bytes)
  const bytes = new Uint8Array(Buffer.concat(parts.splice(0)))
  return void inTurn(async () => {
    process.send?.(await answer(bytes, task))
    globalThis.gc?.() // V8 does not count decoder memory and would free it too late.
  })
})

/**
 * Makes a picture in one of three ways: SVGs, and for agents moving GIFs, are drawn; other GIFs and moving AVIFs are cut to
 * their first frame; everything else is decoded and scaled down.
 */
async function answer(
  bytes: Uint8Array,
  { contentType, width, ground, format }: Exclude<ThumbnailTask, { bytes: Uint8Array }>,
) {
  try {
    const isGif = contentType === 'image/gif' && format === 'light-png'
    if (contentType === 'image/svg+xml' || isGif) {
      const { svg, size } = isGif ? aroundGif(bytes, width) : { svg: new TextDecoder().decode(bytes), size: width }
      if (!isDrawable(svg)) return failed('damaged' as const)
      const png = await drawSvg(svg, size, ground)
      if (!format || (format === 'light-png' && png.length <= MAX_LIGHT_BYTES)) return ok(png)
      const drawing = await decode(png, 'image/png')
      return ok(await (format === 'jpeg' ? encodeJpeg(drawing, ground) : lightPng(drawing, width)))
    }
    if (CUT.has(contentType) && !format) return ok(stillOf(Buffer.from(bytes), contentType))
    const picture = await pixelsOf(bytes, contentType, width)
    if (format === 'light-png') return ok(await lightPng(picture, width, ground))
    if (format) return ok(await encodeJpeg(within(picture, width), ground))
    return ok(await encode(shrink(picture, width)))
  } catch (error) {
    // The memory of an aborted decoder is unusable. The pool treats exit code 134 as out of memory.
    if (error instanceof Error && error.name === 'RuntimeError') process.exit(134)
    return failed('damaged' as const)
  }
}

/** Decodes a picture, or draws the first page of a PDF at a width. */
async function pixelsOf(bytes: Uint8Array, contentType: string, width: number): Promise<Pixels> {
  if (contentType !== PDF) return decode(bytes, contentType)
  const { pdfPage } = await import('./pdf-page.ts')
  return pdfPage(bytes, width, program('@embedpdf/pdfium/pdfium.wasm'))
}

async function encode({ data, width, height }: Pixels): Promise<Uint8Array> {
  const { default: encodeWebp, init } = await import('@jsquash/webp/encode.js')
  await init({ wasmBinary: program('@jsquash/webp/codec/enc/webp_enc_simd.wasm') })
  // Sharp: the edges of a logo keep their colour.
  const picture = { data, width, height, colorSpace: 'srgb' as const }
  return new Uint8Array(await encodeWebp(picture, { quality: 82, use_sharp_yuv: 1 }))
}

/** Scales a picture down to a length of its longer side. */
function within(picture: Pixels, size: number): Pixels {
  const share = Math.min(1, size / Math.max(picture.width, picture.height))
  const scaled = (side: number) => Math.max(1, Math.round(side * share))
  return shrink(picture, scaled(picture.width), scaled(picture.height))
}

/** A picture as PNG, smaller than `size` if it would have too many bytes. */
async function lightPng(picture: Pixels, size: number, ground?: string): Promise<Uint8Array> {
  const { data, width, height } = within(picture, size)
  if (ground !== undefined) layOn(ground, data)
  const png = await encodePng({ data, width, height })
  if (png.length <= MAX_LIGHT_BYTES) return png
  // The bytes grow with the area, so the sides shrink with the square root; slightly more, to be sure.
  const share = 0.95 * Math.sqrt(MAX_LIGHT_BYTES / png.length)
  return lightPng({ data, width, height }, Math.floor(Math.max(width, height) * share))
}

/** Enough for a drawing of 1,024 pixels; models take no much larger ones. */
const MAX_LIGHT_BYTES = 500_000

/** A picture on a colour, such as `#14212b`, or on white. */
async function encodeJpeg({ data, width, height }: Pixels, ground = '#ffffff'): Promise<Uint8Array> {
  layOn(ground, data)
  const { default: encodeJpeg, init } = await import('@jsquash/jpeg/encode.js')
  await init({ wasmBinary: program('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') })
  return new Uint8Array(await encodeJpeg({ data, width, height, colorSpace: 'srgb' as const }, { quality: 90 }))
}

/** Puts a colour, such as `#14212b`, behind pixels of red, green, blue and opacity, in place. */
function layOn(ground: string, data: Pixels['data']): void {
  const behind = [1, 3, 5].map(at => Number.parseInt(ground.slice(at, at + 2), 16))
  for (let at = 0; at < data.length; at += 4) {
    const opacity = (data[at + 3] ?? 0) / 255
    for (const [channel, value] of behind.entries())
      data[at + channel] = (data[at + channel] ?? 0) * opacity + value * (1 - opacity)
    data[at + 3] = 255
  }
}
