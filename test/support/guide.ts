import { openTextEditor } from '#people/editor/edit/text-editor.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { openShared } from '#program/compose/shared.ts'
import { openWebsite } from '#program/compose/website.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { openPublications, type Publication } from '#serving/publications/publications.ts'
import type { Guide } from '#site/guide/guide.ts'
import { openGuide } from '#site/guide-reply.ts'
import type { Site } from '#site/site.ts'
import type { Store } from '#store/store.ts'
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
    texts: openTextEditor(),
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
