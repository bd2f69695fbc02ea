import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openMediaReader } from '#intake/media/media.ts'
import { unwrap } from '#program/cli/failure.ts'
import { type ImportResult, importFolder } from '#publishing/import/import.ts'
import { type PublishResult, publish } from '#publishing/publish.ts'
import { type IssuedToken, issueToken, type RequestedScopes, selectScopes } from '#serving/access/token/issue.ts'
import { openStore, type Store } from '#store/store.ts'
import { accessTo } from './access-context.ts'
import { type Contents, removeFolder, writeFolder } from './temporary.ts'

/** A store in a temporary folder, next to brand folders; everything is deleted after the tests. */
export type TemporaryStore = {
  store: Store
  /** The data folder. */
  data: string
  /** The temporary folder itself, with one brand folder for each workspace. */
  folder: string
  /** Writes files into the brand folder of a workspace and imports it at a given time. */
  importing: (workspace: string, contents: Contents, now?: Date) => Promise<ImportResult>
  /** Imports a folder without changing its files, and publishes its projects for everyone. */
  show: (folder: string) => Promise<void>
  /** Publishes a project at a given time. */
  publish: (place: string, now?: Date) => Promise<PublishResult>
  /** Writes files into the brand folder of a project's workspace, imports it, and publishes the project. */
  publishing: (place: string, contents: Contents, now?: Date) => Promise<PublishResult>
  /** Issues a token; by default for all scopes and projects, and for an hour. */
  issue: (
    workspace: string,
    wanted?: Partial<RequestedScopes & { lifetimeSeconds: number; now: Date }>,
  ) => Promise<IssuedToken>
  /** Registers a function to call before the store is closed. */
  beforeEnd: (stop: () => Promise<void>) => void
}

/** One for all stores of a file, because it starts processes. */
const media = openMediaReader()
after(() => media.close())

/**
 * Opens a store that `serve` can also open from the same data folder and Postgres database, if one is named; its tokens
 * name the public URL, if any.
 */
export async function temporaryStore(publicUrl?: string, database?: string): Promise<TemporaryStore> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
  const data = join(folder, '.data')
  const store = database === undefined ? await openStore(data) : await openOn(database, data)
  const stops: (() => Promise<void>)[] = []
  after(async () => {
    for (const stop of stops) await stop()
    await store.close()
    await removeFolder(folder)
  })
  const options = {
    media,
    caps: CAPS,
    isDryRun: false,
    signal: new AbortController().signal,
    progress: () => undefined,
  }
  const publishProject = async (place: string, now = new Date()) => {
    const [workspace = '', project = ''] = place.split('/')
    return unwrap(await publish(store, { workspace, project }, {}, now))
  }
  const importing = async (workspace: string, contents: Contents, now = new Date()) => {
    await writeFolder(join(folder, workspace), contents)
    return importFolder(store, join(folder, workspace), { ...options, now: () => now })
  }
  const access = accessTo(store, publicUrl === undefined ? {} : { publicUrl })
  return {
    store,
    data,
    folder,
    beforeEnd: stop => stops.push(stop),
    importing,
    show: async brand => {
      const isPublic = { ...options, now: () => new Date(), visibility: 'public' } as const
      const { workspace, projects } = await importFolder(store, brand, isPublic)
      for (const { project } of projects) await publishProject(`${workspace}/${project}`)
    },
    publish: publishProject,
    publishing: async (place, contents, now) => {
      await importing(place.split('/')[0] ?? '', contents, now)
      return publishProject(place, now)
    },
    issue: async (workspace, { now = new Date(), lifetimeSeconds = 3600, ...wanted } = {}) => {
      const selected = await selectScopes(store.database, { workspace, scopes: [], projects: [], ...wanted })
      if (!selected.ok) throw new Error(selected.problem)
      return issueToken(access, { ...selected.value, lifetimeSeconds, client: 'cli' }, now)
    },
  }
}

/** Only a few tests need the code for shared stores. */
async function openOn(database: string, data: string): Promise<Store> {
  const { openSharedStore } = await import('#store/shared-store.ts')
  return openSharedStore({ data, database })
}

/** Opens a store with one published project, with the visibility in its settings. */
export async function publishedStore(...project: Parameters<TemporaryStore['publishing']>): Promise<TemporaryStore> {
  const temporary = await temporaryStore()
  await temporary.publishing(...project)
  return temporary
}

/** The default caps of `serve`. */
const CAPS = { maxFile: 1 << 30, maxItems: 10_000 }
