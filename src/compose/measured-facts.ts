import type { Reader } from '../agents/tools/tool.ts'
import { variableWeights } from '../export/fonts/font-faces.ts'
import { paintsOf } from '../site/guide/artwork-tone.ts'
import type { Site } from '../site/site.ts'
import type { Files } from '../store/files/files.ts'

/** The facts about fonts and pictures that agents learn, with the parts of a website that read and measure these. */
export function measuredFacts(
  site: Pick<Site, 'fontFacts' | 'outlines'> & { service: { files: Pick<Files, 'open' | 'pathOf'> } },
): Pick<Reader, 'weights' | 'paints'> {
  return {
    weights: async ({ record }, file) => {
      try {
        return variableWeights(await site.fontFacts(record.workspace, file))
      } catch {
        return undefined // A font that cannot be read now has the names in its file.
      }
    },
    paints: (publication, file) => paintsOf({ site, publication, patience: {} }, file),
  }
}
