import type { BrandFile } from '#brand/file.ts'
import { isMeasurable } from '#brand/pictures/picture-facts.ts'
import type { Reader } from '#delivery/agents/tools/tool.ts'
import { variableWeights } from '#delivery/export/fonts/font-faces.ts'
import { type MaybePromise, withTimeout } from '#platform/base/promise.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { paintsOf, toneOf } from '#site/guide/picture-look.ts'
import type { Site } from '#site/site.ts'
import { hasThumbnail, PDF } from '#site/thumbnails/thumbnail.ts'

/**
 * The facts about fonts and pictures that agents learn, and the pictures themselves, with the parts of a website that
 * read and draw these. An agent of a service waits only some time for them; a local one waits until they are known.
 */
export function measuredFacts(
  site: Pick<Site, 'fontFacts' | 'lightPngs'>,
  isLocal = false,
): Pick<Reader, 'weights' | 'paints' | 'picture'> {
  const inTime = <Value>(maxWaitMs: number, fact: MaybePromise<Value>) =>
    isLocal ? fact : withTimeout(maxWaitMs, fact, () => undefined)
  return {
    weights: async ({ record }, file) => {
      try {
        return variableWeights(await inTime(MAX_WAIT_MS, site.fontFacts(record.workspace, file)))
      } catch {
        return undefined // A font that cannot be read now has the names in its file.
      }
    },
    paints: (publication, file) => paintsOf({ publication }, file),
    picture: async (publication, file) => {
      if (!isMeasurable(file) && !(file.contentType === PDF && hasThumbnail(file))) return undefined
      const { workspace } = publication.record
      const ground = await groundOf(publication, file)
      const form = { format: 'light-png' as const, ...(ground !== undefined && { ground }) }
      try {
        const made = site.lightPngs(workspace, file, MAX_LENGTH, form, `${workspace} agents`)
        return (await inTime(MAX_PICTURE_WAIT_MS, made))?.bytes
      } catch {
        return undefined // Too many others wait, or a process failed: the file has its address.
      }
    },
  }
}

/** The colour behind a picture: its own ground, or a dark one if it is light, because it would be invisible on white. */
async function groundOf(publication: Publication, file: BrandFile): Promise<string | undefined> {
  const own = (await publication.content.colors()).find(({ id }) => id === file.ground)
  if (own) return own.hex
  return (await toneOf({ publication }, file)) === 'light' ? DARK : undefined
}

/** The time that an agent of a service waits for the facts about a font. */
const MAX_WAIT_MS = 10_000
/** Of the longer side, in pixels. */
const MAX_LENGTH = 1024
/** A heavy picture takes longer; clients wait for a minute. */
const MAX_PICTURE_WAIT_MS = 45_000
const DARK = '#262626'
