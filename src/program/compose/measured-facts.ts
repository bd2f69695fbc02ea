import { isMeasurable } from '#brand/pictures/picture-facts.ts'
import type { Reader } from '#delivery/agents/tools/tool.ts'
import { variableWeights } from '#delivery/export/fonts/font-faces.ts'
import { withTimeout } from '#platform/base/promise.ts'
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
  return {
    weights: async ({ record }, file) => {
      try {
        const facts = site.fontFacts(record.workspace, file)
        return variableWeights(await (isLocal ? facts : withTimeout(MAX_WAIT_MS, facts, () => undefined)))
      } catch {
        return undefined // A font that cannot be read now has the names in its file.
      }
    },
    paints: (publication, file) => paintsOf({ publication }, file),
    picture: async (publication, file) => {
      if (!isMeasurable(file) && !(file.contentType === PDF && hasThumbnail(file))) return undefined
      const { record, content } = publication
      const ownGround = (await content.colors()).find(({ id }) => id === file.ground)?.hex
      const isLight = ownGround === undefined && (await toneOf({ publication }, file)) === 'light'
      const ground = isLight ? DARK : ownGround
      const form = { format: 'light-png' as const, ...(ground !== undefined && { ground }) }
      try {
        const made = site.lightPngs(record.workspace, file, MAX_LENGTH, form, `${record.workspace} agents`)
        return (await (isLocal ? made : withTimeout(MAX_PICTURE_WAIT_MS, made, () => undefined)))?.bytes
      } catch {
        return undefined // Too many others wait, or a process failed: the file has its address.
      }
    },
  }
}

/** The time that an agent of a service waits for the facts about a font. */
const MAX_WAIT_MS = 10_000
/** Of the longer side, in pixels. */
const MAX_LENGTH = 1024
/** A heavy picture takes longer; clients wait for a minute. */
const MAX_PICTURE_WAIT_MS = 45_000
/** The colour behind light artwork, which would be invisible on white. */
const DARK = '#262626'
