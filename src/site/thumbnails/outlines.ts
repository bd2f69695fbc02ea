import type { BrandFile } from '#brand/file.ts'
import { openKeptPictures, type PictureMaker } from './kept-pictures.ts'

/**
 * The percentages of near-white and near-black along the outline of a picture, and its mean colour as red, green, blue
 * and opacity, 0 to 255 each, and the main colours that meet its ground as `#` and six hex digits, none if it has its
 * own ground; undefined if it cannot be drawn, or has nothing to see.
 *
 * @throws what a thumbnailer throws
 */
export type Outlines = (workspace: string, file: BrandFile) => Promise<Outline | undefined>
export type Outline = { light: number; dark: number; mean?: readonly number[]; paints?: readonly string[] }

/** Measures outlines in child processes, each once while it is cached. They do not wait for thumbnails. */
export function openOutlines(maker: PictureMaker): Outlines {
  const measure = openKeptPictures('outlines', maker)
  return async (workspace, file) => {
    const made = await measure(workspace, file, WIDTH, { format: 'outline' }, `${workspace} outlines`)
    const [light, dark, ...channels] = made?.bytes ?? []
    const isVisible = light !== undefined && dark !== undefined && channels[3] !== 0
    return isVisible ? { light, dark, ...colorsOf(channels) } : undefined
  }
}

/** The mean colour, four numbers, then three numbers for each main colour. */
function colorsOf(channels: readonly number[]): Pick<Outline, 'mean' | 'paints'> {
  const hex = Buffer.from(channels.slice(4)).toString('hex')
  return { mean: channels.slice(0, 4), paints: Array.from(hex.matchAll(/.{6}/g), ([color]) => `#${color}`) }
}

/** In pixels: enough for the letters of a wordmark. */
const WIDTH = 160
