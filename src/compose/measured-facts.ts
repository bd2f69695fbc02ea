import type { Reader } from '../agents/tools/tool.ts'
import { withTimeout } from '../base/promise.ts'
import { variableWeights } from '../export/fonts/font-faces.ts'
import { paintsOf } from '../site/guide/artwork-tone.ts'
import type { Site } from '../site/site.ts'
import type { Files } from '../store/files/files.ts'

/**
 * The facts about fonts and pictures that agents learn, with the parts of a website that read and measure these. An
 * agent of a service waits only some seconds for them; a local one waits until they are known.
 */
export function measuredFacts(
  site: Pick<Site, 'fontFacts' | 'outlines'> & { service: { files: Pick<Files, 'open' | 'pathOf'> } },
  isLocal = false,
): Pick<Reader, 'weights' | 'paints'> {
  return {
    weights: async ({ record }, file) => {
      try {
        const facts = site.fontFacts(record.workspace, file)
        return variableWeights(await (isLocal ? facts : withTimeout(MAX_WAIT_MS, facts, () => undefined)))
      } catch {
        return undefined // A font that cannot be read now has the names in its file.
      }
    },
    paints: (publication, file) => paintsOf({ site, publication, patience: isLocal ? undefined : {} }, file),
  }
}

const MAX_WAIT_MS = 10_000
