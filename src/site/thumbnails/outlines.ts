import type { BrandFile } from '../../brand/file.ts'
import type { Caches } from '../../caches/caches.ts'
import { openFile } from '../../serving/downloads/file-reply.ts'
import type { Thumbnailer } from './thumbnailer.ts'

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
export function openOutlines(
  files: Parameters<typeof openFile>[0],
  caches: Caches,
  make: Thumbnailer['make'],
): Outlines {
  const kept = caches.open<{ outline: Outline | undefined }>('outlines')
  return async (workspace, file) => {
    const key = `${workspace}/${file.hash}`
    const picture = {
      contentType: file.contentType,
      format: 'outline' as const,
      open: () => openFile(files, workspace, file),
    }
    const made =
      kept.get(key) ??
      kept.make(key, async () => {
        const [light, dark, ...channels] = (await make(picture, WIDTH, `${workspace} outlines`)) ?? []
        const isVisible = light !== undefined && dark !== undefined && channels[3] !== 0
        const outline = isVisible ? { light, dark, ...colorsOf(channels) } : undefined
        return { value: { outline }, bytes: BYTES, keptMs: outline ? undefined : RETRY_MS }
      })
    return (await made)?.outline
  }
}

/** The mean colour, four numbers, then three numbers for each main colour. */
function colorsOf(channels: readonly number[]): Pick<Outline, 'mean' | 'paints'> {
  const hex = Buffer.from(channels.slice(4)).toString('hex')
  return { mean: channels.slice(0, 4), paints: Array.from(hex.matchAll(/.{6}/g), ([color]) => `#${color}`) }
}

/** In pixels: enough for the letters of a wordmark. */
const WIDTH = 160
const BYTES = 600
const RETRY_MS = 5 * 60_000
