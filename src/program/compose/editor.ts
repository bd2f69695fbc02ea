import type { EditLinks } from '#brand/edit-link.ts'
import { type Forge, forgeOf } from '#brand/forge.ts'
import type { Editor } from '#people/editor/context.ts'
import { servedParts } from '#people/editor/edited-guide.ts'
import type { EditorSource } from '#people/editor/editor-config.ts'
import { GITHUB_SIGNIN_PATH } from '#people/signin/github-signin.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { readSource, type SourceState } from '#publishing/git/pull/source-state.ts'
import { editTemplate } from '#publishing/git/repository/remote.ts'
import { covers } from '#serving/access/session/exercised-rights.ts'
import type { OpenPublication } from '#serving/publications/publications.ts'
import { treeOf } from '#site/guide/guide.ts'
import { inTreeOrder } from '#site/guide/page-tree.ts'
import type { Site } from '#site/site.ts'
import { findWorkspace, listLatest, type ProjectRecord, type PublishedProject } from '#store/catalogue/catalogue.ts'
import { findEditLinks, findSourcePaths } from '#store/catalogue/edit-links.ts'
import type { Store } from '#store/store.ts'
import type { Shared } from './shared.ts'

/** Makes the editor: in `dev`, that of the folder on disk; in `serve`, those of the followed repositories. */
export function openEditor(shared: Shared, site: Site): Editor {
  const { settings, store, ticks, isLive, git } = shared.source
  if (!git)
    return { site, sourceFor: () => (isLive ? folderSource(site, store) : undefined), endStreams: () => undefined }
  const { follower } = git
  const stopping = new AbortController()
  return {
    site,
    sourceFor: (request, { workspace }) => {
      const states = follower.states()
      const asked = workspace || (states.length === 1 ? states[0]?.workspace : undefined)
      return asked && states.some(state => state.workspace === asked)
        ? followedSource(shared, site, request, asked)
        : undefined
    },
    saves: {
      read: source => sourceState(store, settings.git, source),
      checkSoon: atMostEvery(CHECK_MS, ticks, follower.request),
      now: store.clock.date,
      stopping: stopping.signal,
    },
    endStreams: () => stopping.abort(),
  }
}

const CHECK_MS = 10_000

/** Calls a function unless it was called recently. */
function atMostEvery(milliseconds: number, ticks: () => number, work: () => Promise<void>): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY
  return async () => {
    if (ticks() - last < milliseconds) return
    last = ticks()
    await work()
  }
}

/** The editor of a workspace with the projects that a request may see; undefined if there are none. */
async function followedSource(
  shared: Shared,
  site: Site,
  request: Request,
  workspace: string,
): Promise<EditorSource | undefined> {
  const { settings, store } = shared.source
  const records: PublishedProject[] = []
  let template: string | undefined
  for (const record of await visibleProjects(shared, request, workspace)) {
    const links = record.edit === undefined ? undefined : await findEditLinks(store.database, record)
    if (!links || !editedPlace(settings.git, links) || links.template !== (template ?? links.template)) continue
    template = links.template
    records.push(record)
  }
  const [first, ...others] = records
  if (!first || template === undefined) return undefined
  const forge = followedPlace(settings.git, template)
  const { openPublication } = site.service
  const source = await editorSource(store, [first, ...others], { openPublication, site })
  return { ...source, forge, signin: signinAt(shared, forge) }
}

/** The published projects of a workspace that a request may see, without a share link or a token. */
async function visibleProjects({ service: { pointers, sessions } }: Shared, request: Request, workspace: string) {
  const person = await sessions.person(request, workspace)
  if (!person) return (await pointers.openWorkspace(workspace))?.open ?? []
  const { published = [] } = (await pointers.workspace(workspace)) ?? {}
  return published.filter(record => record.published.visibility === 'public' || covers(person, record))
}

/** Undefined without an app: people paste a token. */
function signinAt({ source }: Shared, forge: Forge | undefined): EditorSource['signin'] {
  const { githubApp: app, gitlabApp } = source.settings
  if (forge?.name === 'github' && app) return { base_url: source.publicUrl, auth_endpoint: GITHUB_SIGNIN_PATH.slice(1) }
  if (forge?.name === 'gitlab' && gitlabApp !== undefined) return { auth_type: 'pkce', app_id: gitlabApp }
  return undefined
}

/** The state of the followed repository of an editor, from the store. */
async function sourceState(
  { database }: Store,
  sources: readonly GitSource[],
  { workspace, forge }: EditorSource,
): Promise<SourceState | undefined> {
  for (const source of sources) {
    const [own] = followedForges([source])
    if (!own || !forge || !isSameRepository(own, forge)) continue
    const { state } = await readSource(database, source)
    if (state.workspace === workspace) return state
  }
  return undefined
}

async function folderSource(site: Site, store: Store): Promise<EditorSource | undefined> {
  const [first, ...others] = await listLatest(store.database, MAX_PROJECTS)
  const inWorkspace = others.filter(({ workspace }) => workspace === first?.workspace)
  if (!first) return undefined
  const { openPublication } = site.service
  return editorSource(store, [first, ...inWorkspace], { isFolder: true, openPublication, site })
}

const MAX_PROJECTS = 100

/**
 * The source of an editor for projects of one workspace. It edits the repository that `edit` in `workspace.yaml` names,
 * or the folder on disk if there is none, or if the caller wants the folder.
 */
export async function editorSource(
  { database }: Pick<Store, 'database'>,
  records: readonly [ProjectRecord, ...ProjectRecord[]],
  { isFolder = false, openPublication, site }: { isFolder?: boolean; openPublication: OpenPublication; site?: Site },
): Promise<EditorSource> {
  const [first] = records
  const links = isFolder ? undefined : await findEditLinks(database, first)
  const projects = await Promise.all(
    records.map(async record => {
      const paths = (await findSourcePaths(database, record)) ?? { folder: record.project, pages: {} }
      const publication = openPublication(record)
      const tree = publication ? await treeOf({ publication }) : []
      const order = inTreeOrder(tree).map(({ id, name }) => ({ id, name }))
      const served = publication && site && (await servedParts(site, publication))
      return { id: record.project, name: record.published?.name ?? record.project, ...paths, order, ...served }
    }),
  )
  return {
    workspace: first.workspace,
    name: (await findWorkspace(database, first.workspace))?.name ?? first.workspace,
    projects,
    forge: links && withReview(links, forgeOf(links.template)),
    isReviewed: links?.isReviewed,
  }
}

/** A repository on a host that the editor knows. */
type FollowedForge = Pick<Forge, 'name' | 'origin' | 'repo'>

/**
 * The repositories of sources on hosts that the editor knows. Only the first host of each kind counts: the editor keeps one token
 * for each kind, and must not send it to another host.
 */
export function followedForges(sources: readonly GitSource[]): FollowedForge[] {
  const all = sources.flatMap(({ url }) => forgeOf(editTemplate(url, 'HEAD') ?? '') ?? [])
  return all.filter(({ name, origin }) => all.find(each => each.name === name)?.origin === origin)
}

/**
 * The place of an edit address, if it is in the repository of a source. A derived address does not tell a branch with a
 * slash from a folder, but its source does.
 */
export function followedPlace(sources: readonly GitSource[], template: string): Forge | undefined {
  const forge = forgeOf(template)
  if (!forge || !followedForges(sources).some(each => isSameRepository(each, forge))) return undefined
  for (const { url, ref, path } of sources) {
    const branch = ref?.replace(/^refs\/heads\//, '')
    if (branch !== undefined && editTemplate(url, branch, path) === template)
      return { ...forge, branch, path: path ?? '' }
  }
  return forge
}

/** The place into which the editor saves: as `followedPlace`, if it can save there as the links ask. */
function editedPlace(sources: readonly GitSource[], links: Links): Forge | undefined {
  return withReview(links, followedPlace(sources, links.template))
}

type Links = Pick<EditLinks, 'template' | 'isReviewed'>

/** The library proposes no changes at Gitea: it would commit them to the branch. */
function withReview({ isReviewed }: Links, forge: Forge | undefined): Forge | undefined {
  return isReviewed && forge?.name === 'gitea' ? undefined : forge
}

/** Hosts ignore the case of a repository's path. */
function isSameRepository(a: FollowedForge, b: FollowedForge): boolean {
  return a.name === b.name && a.origin === b.origin && a.repo.toLowerCase() === b.repo.toLowerCase()
}

/**
 * The path before that of the editor for a project whose edit address is known; undefined without an editor. Several
 * followed repositories have one editor for each workspace.
 */
export function editorPaths({ git: sources }: Settings, base: string, isLive = false): Site['editorPath'] {
  if (isLive) return () => base
  return (workspace, links) => {
    const place = sources.length === 1 ? base : `${base}/${workspace}`
    return editedPlace(sources, links) && place
  }
}
