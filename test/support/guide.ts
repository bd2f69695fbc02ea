import { openCaches } from '../../src/caches/caches.ts'
import { openShared } from '../../src/compose/shared.ts'
import { openWebsite } from '../../src/compose/website.ts'
import { openPointers } from '../../src/serving/pointers/pointers.ts'
import { openPublications, type Publication } from '../../src/serving/publications/publications.ts'
import type { Guide } from '../../src/site/guide/guide.ts'
import { openGuide } from '../../src/site/guide-reply.ts'
import type { Site } from '../../src/site/site.ts'
import type { Store } from '../../src/store/store.ts'
import { openMetrics } from '../../src/telemetry/metrics.ts'
import { DEFAULT_SETTINGS, silent, URL_OF_SERVICE } from './service.ts'

/** A published project, as a service opens it. */
export async function publicationOf({ database }: Store, workspace: string, project: string): Promise<Publication> {
  const state = await (await openPointers(database, openCaches())).workspace(workspace)
  const publication = openPublications(database, openCaches())(state?.projects.get(project))
  if (!publication) throw new Error(`${workspace}/${project} is not published`)
  return publication
}

/** The guide of a published project without the details of fonts, on a website with these parts. */
export async function guideOf(
  store: Store,
  workspace: string,
  project: string,
  parts: Partial<Site> = {},
): Promise<Guide> {
  const metrics = openMetrics()
  const shared = await openShared({
    settings: DEFAULT_SETTINGS,
    store,
    log: silent,
    metrics,
    publicUrl: URL_OF_SERVICE,
    clock: Date.now,
    ticks: Date.now,
  })
  const { site } = openWebsite(shared.service, { log: silent, metrics })
  const withoutFonts = { fontFacts: () => undefined, fontSubset: () => undefined }
  const publication = await publicationOf(store, workspace, project)
  return openGuide({ ...site, ...withoutFonts, ...parts }, publication, 'Acme')
}

/** The guide on a website with other parts. */
export function withParts(guide: Guide, parts: Partial<Site>): Guide {
  return { ...guide, site: { ...guide.site, ...parts } }
}
