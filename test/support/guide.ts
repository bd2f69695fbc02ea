import { openCaches } from '../../src/caches/caches.ts'
import { createAddresses } from '../../src/serving/addresses.ts'
import { openPointers } from '../../src/serving/pointers/pointers.ts'
import { openPublications, type Publication } from '../../src/serving/publications/publications.ts'
import { openAssets } from '../../src/site/assets.ts'
import type { Guide } from '../../src/site/guide/guide.ts'
import { wordsFor } from '../../src/site/words/words.ts'
import type { Store } from '../../src/store/store.ts'

/** A published project, as a service opens it. */
export async function publicationOf({ database }: Store, workspace: string, project: string): Promise<Publication> {
  const state = await (await openPointers(database, openCaches())).workspace(workspace)
  const publication = openPublications(database, openCaches())(state?.projects.get(project))
  if (!publication) throw new Error(`${workspace}/${project} is not published`)
  return publication
}

/** The guide of a published project, without pages, files and details of fonts. */
export async function guideOf(store: Store, workspace: string, project: string): Promise<Guide> {
  const paths = createAddresses('', store.identity.fileSecret)
  return {
    publication: await publicationOf(store, workspace, project),
    workspace: 'Acme',
    hasToken: false,
    assets: openAssets(''),
    paths,
    urls: paths,
    render: () => Promise.reject(new Error('no page is rendered')),
    fontFacts: () => undefined,
    fontSubset: () => undefined,
    open: () => Promise.reject(new Error('no file is read')),
    editLinks: async () => undefined,
    revisions: async () => [],
    oldFiles: async () => [],
    earlier: () => Promise.resolve(undefined),
    copy: undefined,
    words: wordsFor('en'),
  }
}
