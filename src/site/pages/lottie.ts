import type { BrandFile } from '../../brand/file.ts'
import type { Guide } from '../guide/guide.ts'
import { fileText } from '../texts/file-text.ts'

/** Whether a file is a Lottie animation: a `.lottie` archive, or JSON with the required keys of the format. */
export async function isLottie(guide: Guide, file: BrandFile): Promise<boolean> {
  const { path, contentType, size } = file
  if (/\.lottie$/i.test(path)) return true
  if (contentType !== 'application/json' || size > MAX_BYTES) return false
  const text = await fileText(guide, file)
  try {
    return hasShape(JSON.parse(text))
  } catch {
    return false // Not JSON, although its name says so.
  }
}

/** Parsing more would delay other requests. */
const MAX_BYTES = 1 << 20

/** The required keys of an animation (Lottie 1.0, "Animation"); older files may lack a version. */
function hasShape(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const entries = new Map<string, unknown>(Object.entries(value))
  return Array.isArray(entries.get('layers')) && NUMBERS.every(name => typeof entries.get(name) === 'number')
}

/** Width, height, frame rate, first and last frame. */
const NUMBERS = ['w', 'h', 'fr', 'ip', 'op']
