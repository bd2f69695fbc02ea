import { existsSync } from 'node:fs'
import { SCOPES } from '#brand/contract/operations.ts'
import { pagePath, type SourcePaths } from '#brand/edit-link.ts'
import type { LineStreams } from '#delivery/agents/mcp-stdio.ts'
import type { Reader } from '#delivery/agents/tools/tool.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { type Addresses, createAddresses, encodeSegment } from '#serving/addresses.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { openPublications, type Publication } from '#serving/publications/publications.ts'
import { findSourcePaths } from '#store/catalogue/edit-links.ts'
import type { Store } from '#store/store.ts'
import { openContentProcesses } from './content-processes.ts'
import { measuredFacts } from './measured-facts.ts'

/** The workspace that an agent reads: in a store of a service, or in a folder that was imported into the store. */
export type LocalContent = { workspace: string } & ({ urls: Addresses } | { folder: string })

/** Answers an agent about all published projects of a workspace, also private ones: its user can read the store. */
export async function answerLocalAgent(
  store: Store,
  content: LocalContent,
  streams: Omit<LineStreams, 'beforeMessage'>,
): Promise<void> {
  const { reader, refresh, close } = await openReader(store, content)
  try {
    const { answerLines } = await import('#delivery/agents/mcp-stdio.ts')
    await answerLines(reader, { ...streams, beforeMessage: refresh })
  } finally {
    await close()
  }
}

/** Opens a reader of a workspace as it is in the store; `refresh` shows it what has changed since. */
async function openReader(store: Store, content: LocalContent) {
  const { database, files } = store
  const { workspace } = content
  const caches = openCaches()
  const pointers = await openPointers(database, caches)
  let state = await pointers.workspace(workspace)
  const openPublication = openPublications(database, caches)
  const publications = state?.published.flatMap(record => openPublication(record) ?? []) ?? []
  const addresses = await addressesOf(store, content, publications)
  const processes = openContentProcesses({ database, caches, files, addresses }, {}, MEASURING)
  const reader: Reader = {
    workspace,
    get workspaceName() {
      return state?.name ?? workspace
    },
    get projects() {
      return state?.published ?? []
    },
    scopes: new Set(SCOPES),
    isGuide: false,
    openPublication,
    addresses,
    index: processes.indexes,
    lint: (publication, input) => processes.lint(publication, input, { network: '', hasShare: true }),
    pages: caches.open('agent-pages'),
    ...measuredFacts(processes, true),
  }
  const refresh = async () => {
    await pointers.refresh()
    state = await pointers.workspace(workspace)
  }
  const close = () => Promise.all(Object.values(processes.pools).map(pool => pool.close()))
  return { reader, refresh, close }
}

/** No other reader waits meanwhile, so that even a very busy machine fails no sound font or picture. */
const MEASURING = { timeoutMs: 120_000 }

/**
 * The addresses of a store's service; for a folder, `file:` URLs of its files. A translation
 * shares the files of its original that its own folder lacks.
 */
async function addressesOf(
  { database, identity }: Store,
  content: LocalContent,
  publications: readonly Publication[],
): Promise<Addresses> {
  if ('urls' in content) return content.urls
  const sources = new Map<string, Partial<SourcePaths> & { of?: string }>()
  for (const { record, content } of publications)
    sources.set(record.project, { ...(await findSourcePaths(database, record)), ...(await content.translation()) })
  /** `pathIn` gives the path in the folder of the project, and may need the paths of its pages. */
  const addressOf = (project: string, pathIn: (pages: SourcePaths['pages']) => string): string => {
    const { of, folder = '', pages = {} } = sources.get(project) ?? {}
    const segments = [content.folder, folder, pathIn(pages)].flatMap(part => part.split('/')).filter(Boolean)
    if (of !== undefined && !existsSync(`/${segments.join('/')}`)) return addressOf(of, pathIn)
    return `file:///${segments.map(encodeSegment).join('/')}`
  }
  return {
    ...createAddresses('', identity.fileSecret),
    project: ({ project }) => addressOf(project, () => ''),
    below: ({ project }, path) => addressOf(project, () => path),
    page: ({ project }, id) => addressOf(project, pages => pagePath({ pages }, id)),
    file: ({ project }, { path }) => addressOf(project, () => path),
    style: ({ project }, { list }) => addressOf(project, () => `styles/${list}.yaml`),
    folder: ({ project }, path) => addressOf(project, () => path),
  }
}
