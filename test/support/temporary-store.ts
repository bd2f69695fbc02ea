import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openMediaReader } from '#intake/media/media.ts'
import { parseHostTarget } from '#platform/settings/hosts.ts'
import { unwrap } from '#program/cli/failure.ts'
import { accessFor } from '#program/compose/access.ts'
import { type DraftState, draftState } from '#publishing/draft-state.ts'
import { type ImportResult, importFolder } from '#publishing/import/import.ts'
import { type PublishResult, publish } from '#publishing/publish.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { addHost } from '#serving/access/hosts.ts'
import { type IssuedToken, issueToken, type RequestedScopes, selectScopes } from '#serving/access/token/issue.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { findWorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import { openStore, type Store } from '#store/store.ts'
import { housestyle } from '../program/cli/housestyle.ts'
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

/** Opens a store with published projects of one workspace, with the visibility in their settings. */
export async function publishedStore(
  places: string | readonly string[],
  contents: Contents,
  now?: Date,
): Promise<TemporaryStore> {
  const temporary = await temporaryStore()
  const [first = '', ...others] = [places].flat()
  await temporary.publishing(first, contents, now)
  for (const place of others) await temporary.publish(place, now)
  return temporary
}

/** Opens a store with the workspace `acme`. Publishes all its projects, which are public if they have no settings. */
export async function publishedBrand(contents: Contents): Promise<TemporaryStore> {
  const temporary = await temporaryStore()
  const projects = new Set(
    Object.keys(contents).flatMap(path => (path.includes('/') ? [path.split('/', 1).join()] : [])),
  )
  const settings = Array.from(projects, project => [`${project}/project.yaml`, 'visibility: public\n'])
  await temporary.importing('acme', { ...Object.fromEntries(settings), ...contents })
  for (const project of projects) await temporary.publish(`acme/${project}`)
  return temporary
}

/** The default caps of `serve`. */
const CAPS = { maxFile: 1 << 30, maxItems: 10_000 }

/** The exit code and the output of a command. */
export type Ran = { exitCode: number | null; out: string; err: string }

/** Runs a command in this process with a working folder; its store is the data folder in it by default. */
export async function runCommand(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const env = { HOUSESTYLE_DATA: '.data', HOUSESTYLE_LOG: 'silent', ...environment }
  const { status, stdout, stderr } = await housestyle(args, { cwd: folder, env })
  return { exitCode: status, out: stdout, err: stderr }
}

/** Runs a command with `--json` and returns its result. Throws if it fails. */
export async function resultOf(
  folder: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) {
  const { exitCode, out, err } = await runCommand(folder, [...args, '--json'], environment)
  if (exitCode !== 0) throw new Error(`housestyle ${args.join(' ')} exits with ${exitCode}: ${err}`)
  return JSON.parse(out)
}

/** A context that changes the access to a store without a log. */
export function accessTo(
  store: Pick<Store, 'database' | 'identity'>,
  settings: { publicUrl?: string; keySecret?: string | undefined } = {},
): AccessContext {
  return accessFor(settings, store, () => undefined)
}

/** A context that verifies requests for this public URL and clock. Caches are empty. */
export function verifierContext(
  store: Pick<Store, 'database' | 'identity'>,
  { publicUrl = 'http://brand.test', clock = Date.now } = {},
): AccessContext {
  return accessFor({}, store, () => undefined, { publicUrl, clock })
}

/** Gives places their own hosts: `{ 'guide.test': 'acme/guide' }`. */
export async function addHosts(
  { store }: Pick<TemporaryStore, 'store'>,
  hosts: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [host, place] of Object.entries(hosts)) {
    const added = await addHost(accessTo(store), host, parseHostTarget(place) ?? { workspace: '' }, new Date())
    if (!added.ok) throw new Error(added.problem.message)
  }
}

/** The draft of a project as a person sees it now. */
export async function seenDraft(
  { database }: Pick<Store, 'database'>,
  { workspace, project } = { workspace: 'acme', project: 'guide' },
): Promise<DraftState> {
  const record = (await findProject(database, workspace, project)) ?? assert.fail()
  return draftState(record, await findWorkspaceFields(database, workspace))
}

/** The smallest PNG: one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** A workspace with a bit of everything: two projects to publish, and one that stays unpublished. */
export const SMALL_BRAND: Contents = {
  'workspace.yaml': 'id: acme\nname: Acme GmbH\n',
  'guidelines/project.yaml': 'name: Brand guidelines\nvisibility: public\n',
  'guidelines/pages/index.md': '# Welcome\n\n![The mark](logo/mark.svg) and [the logo](logo.md "Logo").\n',
  'guidelines/pages/logo.md': '---\ntitle: Logo\n---\n\nÜber *alles*.\r\n',
  'guidelines/pages/logo/misuse.md': '# Misuse\n\nBack [home](/).\n',
  'guidelines/pages/色.md': '# 色\n',
  'guidelines/pages/logo/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n',
  'guidelines/styles/colors.yaml':
    '- name: Blue\n  hex: "#1D70B8"\n  cmyk: [84, 39, 0, 28]\n  pms: 285 C\n  pms2: 2172 U\n  ral: RAL 5015\n- name: Ink\n  rgb: 11, 12, 12\n',
  'guidelines/styles/types.yaml':
    '- name: Heading\n  family: Acme Sans\n  size: 32\n  leading: 1.25\n  tracking: -0.01\n  casing: uppercase\n  spacing: 0.5\n  responsive: true\n  features: { tnum: 1, liga: 0 }\n- name: Body\n',
  'guidelines/files/pixel.png': PIXEL,
  'guidelines/files/notes.txt': 'Notes.\n',
  'guidelines/files/files.yaml': 'pixel.png: One pixel\n',
  'empty/project.yaml': 'name: An empty one\n',
  'hidden/project.yaml': 'name: Not yet published\n',
  'hidden/pages/index.md': '# Hidden\n',
  'hidden/files/plan.txt': 'A plan.\n',
}
