import { extname } from 'node:path/posix'
import { filename, isLightName } from '#brand/file.ts'
import { pathWithoutFormat } from '#brand/library.ts'
import { isLightArtwork } from '#brand/pictures/picture-facts.ts'
import type { Silhouette } from '#brand/pictures/silhouette.ts'
import { openMediaReader } from '#intake/media/media.ts'
import { perObject } from '#platform/base/object.ts'
import { settleAll } from '#platform/base/promise.ts'
import { inFormats } from '#platform/base/text.ts'
import type { FilePlan } from './site/links.ts'

/** Measures pictures and reads the names of fonts in confined processes, which closing it and the signal end. */
export type Artwork = AsyncDisposable & {
  /** Whether it is light artwork without its own ground; undefined if it cannot be measured. */
  isLight: (file: FilePlan) => Promise<boolean | undefined>
  /** Its drawing; undefined if it cannot be measured, or is no drawing. */
  inkOf: (file: FilePlan) => Promise<Silhouette | undefined>
  /** The family by the names in a font; undefined if they say none. */
  familyOf: (file: FilePlan) => Promise<string | undefined>
}

export function openArtwork(signal?: AbortSignal): Artwork {
  const reader = openMediaReader()
  signal?.addEventListener('abort', () => void reader.close())
  const taskOf = ({ entry, to }: FilePlan, contentType: string) => ({
    path: to,
    contentType,
    pieces: async function* () {
      yield await entry.read(MAX_BYTES)
    },
  })
  return {
    isLight: perObject(async file => {
      const type = PICTURES[extname(file.to).toLowerCase()]
      const facts = type && file.entry.size <= MAX_BYTES ? await reader.measure(taskOf(file, type)) : undefined
      return facts && isLightArtwork(facts, file.to)
    }),
    inkOf: async file => {
      if (!INKED.test(file.to) || file.entry.size > MAX_BYTES) return undefined
      const answer = await reader.inspect({ kind: 'ink', ...taskOf(file, 'image/*') })
      return answer.ok ? answer.value.ink : undefined
    },
    familyOf: async file => {
      const answer = await reader.inspect({ kind: 'font', ...taskOf(file, 'font/sfnt') })
      const metadata = answer.ok ? answer.value.metadata : undefined
      return metadata && 'family' in metadata ? metadata.family : undefined
    },
    [Symbol.asyncDispose]: () => reader.close(),
  }
}

const MAX_BYTES = 4 << 20
const INKED = inFormats('svg, png, jpg, jpeg, webp, gif')
const PICTURES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

/** The items, without formats, that have light artwork, by their pixels. Only likely files are measured. */
export async function lightItems(files: readonly FilePlan[], { isLight }: Artwork): Promise<ReadonlySet<string>> {
  const likely: FilePlan[] = []
  for (const file of files) if (likely.length < MAX_MEASURED && (await mayBeLight(file))) likely.push(file)
  const light = await settleAll(likely.map(file => isLight(file)))
  return new Set(likely.filter((_, at) => light[at]).map(({ to }) => pathWithoutFormat(to)))
}

const MAX_MEASURED = 300

/** Whether the name, or a paint of a small drawing, is worth a measure. */
async function mayBeLight({ entry, to }: FilePlan): Promise<boolean> {
  if (isLightName(filename(to))) return true
  if (extname(to).toLowerCase() !== '.svg' || entry.size > MAX_DRAWING) return false
  return /white|#f|25[0-5]/i.test((await entry.read(MAX_DRAWING)).toString('latin1'))
}

const MAX_DRAWING = 64 << 10
