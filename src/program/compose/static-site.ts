import { API_PATH, OPERATIONS, SCOPES } from '#brand/contract/operations.ts'
import { routeFinder } from '#brand/contract/route.ts'
import { type BrandFile, filename } from '#brand/file.ts'
import { HOME_PAGE, type Page } from '#brand/page.ts'
import { API_ROUTES } from '#delivery/api/answer.ts'
import { FORMATS } from '#delivery/export/formats.ts'
import { type Indexer, IndexUnavailable, openIndexer } from '#delivery/search/indexer.ts'
import { OperationalError } from '#platform/base/error.ts'
import { ok } from '#platform/base/result.ts'
import { openCaches } from '#platform/caches/caches.ts'
import type { Request } from '#platform/exchange/message.ts'
import { basePath } from '#platform/exchange/target.ts'
import type { AccessContext } from '#serving/access/context.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import type { Grant } from '#serving/access/token/grant.ts'
import { type Addresses, createAddresses } from '#serving/addresses.ts'
import { verifiedFiles } from '#serving/downloads/verified-files.ts'
import type { OpenProjects } from '#serving/pointers/open-projects.ts'
import type { Pointers } from '#serving/pointers/pointers.ts'
import { workspaceState } from '#serving/pointers/workspace-state.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { servedRevisions } from '#serving/publications/revisions.ts'
import { openResponseCache } from '#serving/replies/response-cache.ts'
import { filledSections, type Guide, isDraft, pathBelow, treeOf } from '#site/guide/guide.ts'
import { pagesOfSections } from '#site/guide/listed-sections.ts'
import { inTreeOrder } from '#site/guide/page-tree.ts'
import { openGuide } from '#site/guide-reply.ts'
import { SITE_ROUTES } from '#site/routes.ts'
import { copiedIndex } from '#site/search/copied-index.ts'
import type { Site } from '#site/site.ts'
import { normalPath } from '#site/static/address-finder.ts'
import type { SiteSource } from '#site/static/static-site.ts'
import { type GuideTheme, groundOf, themeOf } from '#site/theme/guide-theme.ts'
import { shownAddress } from '#site/thumbnails/thumbnail.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import type { Files } from '#store/files/files.ts'
import type { Store } from '#store/store.ts'
import { accessFor } from './access.ts'
import { openPublished } from './export.ts'
import { openWebsite } from './website.ts'

/** Opens the website and the API as if the store had only this project, open to everyone, while the work runs. */
export async function withSiteSource<Value>(
  store: Store,
  record: ProjectRecord,
  { publicUrl, signal }: { publicUrl: string | undefined; signal: AbortSignal },
  work: (source: SiteSource & Awaited<ReturnType<typeof bookOf>>) => Promise<Value>,
): Promise<Value> {
  const copied = await openCopied(store, record, publicUrl)
  const { close } = copied
  signal.addEventListener('abort', close)
  try {
    return await work(await sourceOf(copied, store.clock.date()))
  } catch (error) {
    signal.throwIfAborted() // An interruption ends the processes that the work waits for.
    throw error
  } finally {
    signal.removeEventListener('abort', close)
    await close()
  }
}

/** Opens the website of a project, and the indexer of its search. Without a public URL, it is that of a draft. */
async function openCopied(store: Store, record: ProjectRecord, publicUrl: string | undefined) {
  const access = accessFor({}, store, ignore, { publicUrl: publicUrl ?? URL_OF_DRAFTS, clock: () => 0 })
  const project = await openPublished(access.database, access.caches, record)
  const service = serviceOf(access, store.files, project)
  const copy = { isDraft: publicUrl === undefined }
  const website = openWebsite(service, { log: SILENT, metrics: UNCOUNTED, copy })
  const indexer = openIndexer(openCaches())
  const close = () => Promise.all([website.close(), indexer.close()])
  return { ...project, site: website.site, indexer, close }
}

/** The addresses of a copy, its book, and the service that answers requests for them. */
async function sourceOf(
  { site, indexer, publication, workspace }: Awaited<ReturnType<typeof openCopied>>,
  today: Date,
) {
  const { service } = site
  const { publicUrl } = service.access
  const guide = await openGuide(site, publication, workspace)
  const answer: SiteSource['answer'] = async (path, method) => {
    const request = requestFor(method ?? 'GET', path.slice(basePath(publicUrl).length))
    const { route, ids } = findRoute(request.path)
    return route.answer({ service, site }, request, ids)
  }
  const searchScripts: SiteSource['searchScripts'] = placeOf => scriptsOfSearch(guide, indexer, placeOf)
  const paths = await copiedPaths(site, publication, await filledSections(guide))
  return { ...paths, ...(await bookOf(guide, today)), publicUrl, answer, searchScripts }
}

/** Finds an address of the website or of the API; a copy has no others. */
const findRoute = routeFinder<{ service: ServiceContext; site: Site }>([...API_ROUTES, ...SITE_ROUTES])

/** The base of draft addresses until they become references; no request is ever sent there (RFC 6761 §6.4). */
const URL_OF_DRAFTS = 'http://housestyle.invalid'

/** A service that has only this project, open to everyone. It has no limit and no clock, and counts nothing. */
function serviceOf(
  access: AccessContext,
  files: Files,
  { openPublication, publication, workspace }: CopiedProject,
): ServiceContext {
  const { database, identity, caches, publicUrl } = access
  const { record } = publication
  return {
    settings: { cacheTags: false, cors: [] },
    access,
    ticks: () => 0,
    limit: undefined,
    publicLimit: undefined,
    verifier: { verify: () => ok(grantFor(record)), refresh: async () => undefined, forget: ignore, suspend: ignore },
    shares: { redeem: async () => undefined, admission: () => ({}), drafts: NO_DRAFTS.links, forget: ignore },
    signins: { of: () => [], all: () => [] },
    sessions: { person: () => undefined, people: async () => [], hasCookie: () => false, live: async () => [] },
    refusedPerson: async () => undefined,
    profileOf: async () => undefined,
    pointers: pointersTo(publication, workspace),
    openProjects: NO_LISTS,
    openPublication,
    revisions: servedRevisions(database),
    files: verifiedFiles(files, caches),
    urls: createAddresses(publicUrl, identity.fileSecret),
    hosts: NO_HOSTS,
    replies: openResponseCache(caches, 'replies'),
  }
}

type CopiedProject = Awaited<ReturnType<typeof openPublished>>

const SILENT = { error: ignore, warn: ignore, info: ignore, debug: ignore }
const UNCOUNTED = { countProcessFailure: ignore }
function ignore(): void {}

function pointersTo({ record, published }: Publication, name: string): Pointers {
  const project = { ...record, published }
  const state = workspaceState(record.workspace, name, {
    open: { records: [project], damaged: [] },
    hidden: { records: [], damaged: [] },
  })
  const inMemory = (id: string) => (id === record.workspace ? state : undefined)
  return {
    workspace: inMemory,
    openWorkspace: inMemory,
    inMemory,
    isThemed: () => false,
    drafts: NO_DRAFTS.pointers,
    version: () => 0,
    refresh: async () => ({ workspaces: new Set(), access: false, moves: { published: 0, unpublished: 0 } }),
    isOutdated: async () => false,
    restart: async () => undefined,
  }
}

const NO_HOSTS = { at: () => undefined, isKnown: () => true, of: () => undefined, pathOf: () => undefined }

/** A copy contains one revision, or one draft as if it were published. */
const NO_DRAFTS = {
  links: { redeem: async () => undefined, admission: () => undefined },
  pointers: { find: () => undefined, inMemory: () => [] },
}

const NO_LISTS: OpenProjects = {
  first: async () => ({ total: 0, workspaces: [] }),
  async *all() {},
}

/** The grant of an export, which covers the whole project. */
function grantFor({ workspace }: ProjectRecord): Grant {
  return { workspace, scopes: new Set(SCOPES), client: 'export', jti: '', expiresAt: Number.POSITIVE_INFINITY }
}

function requestFor(method: string, path: string): Request {
  const headers = { accept: '*/*' }
  return { method, path: path || '/', query: '', headers, authorizations: 1, address: '127.0.0.1' }
}

/** The start addresses of a copy, the places of its files, and the addresses that lead to others. */
async function copiedPaths(
  { paths, service }: Site,
  { record, content }: Publication,
  sections: readonly string[],
): Promise<Pick<SiteSource, 'paths' | 'starts' | 'moved'>> {
  const base = basePath(service.access.publicUrl)
  const home = paths.project(record)
  const pages = await content.pages()
  const ids = [...pages.keys()]
  const pagePaths = ids.map(id => paths.page(record, id))
  return {
    paths: { base, home, ...filePathsOf(paths, record, await content.files()) },
    starts: [...guideStarts(home, pagePaths, sections), ...apiReplies(base, record, ids)],
    moved: movedPages(paths, record, pages.values()),
  }
}

/** Finds the paths of files by their addresses, and the other way round. */
function filePathsOf(
  paths: Addresses,
  record: ProjectRecord,
  files: ReadonlyMap<string, BrandFile>,
): Pick<SiteSource['paths'], 'filePath' | 'fileAddress'> {
  // The address of a file has its key and its name. Files with the same content and name have the same address.
  const addressKey = (key: string, name: string) => JSON.stringify([key, name])
  const pathsByAddress = new Map<string, string>()
  for (const file of files.values()) {
    const key = addressKey(paths.fileKey(record, file), filename(file.path))
    if (!pathsByAddress.has(key)) pathsByAddress.set(key, file.path)
  }
  return {
    filePath: (key, name) => pathsByAddress.get(addressKey(key, name)),
    fileAddress: path => {
      const file = files.get(path)
      return file && paths.file(record, file)
    },
  }
}

/** The start addresses of a guide: its pages and their Markdown, its views, and its exports. */
function guideStarts(home: string, pagePaths: readonly string[], sections: readonly string[]): SiteSource['starts'] {
  const below = (name: string) => ({ path: `${home}/-/${name}` })
  // A page that is opened from a folder can load scripts, but no JSON.
  const versions = { ...below('files/versions.json'), place: '-/files/versions.js' }
  const archives = ['files.zip', ...FORMATS.map(({ file }) => `exports/${file}`)]
  return [
    { path: home },
    ...pagePaths
      .flatMap(path => [path, `${path}.md`])
      .filter(path => path !== home)
      .map(path => ({ path })),
    ...['pages', ...sections, 'search'].map(below),
    ...(sections.includes('files') ? [versions] : []),
    ...['llms.txt', 'llms-full.txt'].map(name => ({ path: `${home}/${name}` })),
    ...archives.map(name => ({ ...below(name), isOptional: true })),
  ]
}

/** The addresses of pages, keyed by the addresses of their aliases. */
function movedPages(paths: Addresses, record: ProjectRecord, pages: Iterable<Page>): SiteSource['moved'] {
  const moved = new Map<string, string>()
  for (const { id, aliases = [] } of pages)
    for (const alias of aliases) moved.set(addressOf(paths.page(record, alias)), paths.page(record, id))
  return moved
}

/** The seven API replies, with `.json` after their paths. */
function apiReplies(base: string, { workspace, project }: ProjectRecord, pages: readonly string[]) {
  return OPERATIONS.flatMap(({ path }) => {
    const ofProject = path.replace('{workspace}', workspace).replace('{project}', project)
    const ids = path.includes('{page}') ? pages : ['']
    return ids.map(id => ({
      path: base + API_PATH + ofProject.replace('{page}', () => id.split('/').map(encodeURIComponent).join('/')),
      place: `-/api${API_PATH}${ofProject.replace('{page}', () => id)}.json`,
    }))
  })
}

async function* scriptsOfSearch(guide: Guide, indexer: Indexer, placeOf: (path: string) => Promise<string>) {
  const index = await indexer.index(guide.publication).catch((error: unknown) => {
    if (!(error instanceof IndexUnavailable)) throw error
    const message = 'cannot make the search index of the guide: it takes too long'
    throw new OperationalError('export_impossible', message, { cause: error })
  })
  yield* copiedIndex(guide, index, placeOf)
}

/**
 * The cover of a book, and its chapters in the order of the menu: the pages, each followed by the list that it stands for
 * in the menu, then the other lists of colours and type. An address is a key of the places in a copy.
 */
async function bookOf(guide: Guide, today: Date) {
  const { publication, words, site } = guide
  const { record, content } = publication
  const chapter = (path: string, title: string, depth: number, isGenerated = false) => ({
    address: addressOf(path),
    title,
    depth,
    isGenerated,
  })
  const home = (await content.pages()).get(HOME_PAGE)
  /** The pages that stand for sections in the menu, by section. */
  const pageOfSection = await pagesOfSections(guide)
  const sections = (await filledSections(guide)).filter(name => name !== 'files')
  /** The lists that a page stands for; without a page, the lists for which none does. */
  const generated = (page?: string) =>
    sections
      .filter(name => pageOfSection.get(name) === page)
      .map(name => chapter(pathBelow(guide, name), `${words.sections[name]}`, 0, true))
  const ofPages = inTreeOrder(await treeOf(guide)).flatMap(({ id, name }) => {
    const path = id === HOME_PAGE ? site.paths.project(record) : site.paths.page(record, id)
    return [chapter(path, name, id.split('/').length - 1), ...generated(id)]
  })
  const chapters = [...ofPages, ...generated()]
  return {
    front: await frontOf(guide, home, today),
    // The page that stands for a missing home page only leads to the others.
    chapters: chapters.length > 0 ? chapters : [chapter(site.paths.project(record), `${words.frame.overview}`, 0)],
  }
}

/** The cover of a book. */
async function frontOf(guide: Guide, home: Page | undefined, today: Date) {
  const { publication, words, site, workspace } = guide
  const { record, published, content } = publication
  const lang = (await content.lang()) ?? 'en'
  const date = dateOf(guide, lang, today)
  const theme = await themeOf(publication)
  const logos = [theme.logo, theme.logoDark].filter(logo => logo !== undefined)
  return {
    title: published.name,
    lead: home?.description,
    lines: workspace === published.name ? [date] : [workspace, date],
    contents: `${words.frame.contents}`,
    lang,
    grounds: coverGrounds(theme, home),
    logos: logos.map(({ file }) => {
      return { address: addressOf(shownAddress(record, file, site.paths)), contentType: file.contentType }
    }),
  }
}

/** The month of a guide. A draft has no date yet, and is that of today. */
function dateOf(guide: Guide, lang: string, today: Date): string {
  const { publication, words } = guide
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC', numberingSystem: 'latn' } as const
  const month = new Intl.DateTimeFormat(lang, options)
  return isDraft(guide)
    ? `${words.frame.draft}, ${month.format(today)}`
    : month.format(publication.published.publishedAt)
}

/** Pairs of a ground and its text colour. The last is for a logo that the first ones hide. */
function coverGrounds({ light, grounds, openers }: GuideTheme, home: Page | undefined) {
  const ground = groundOf({ ...home, id: HOME_PAGE }, openers) ?? home?.cover?.color
  const homeGround = ground && grounds.get(ground)
  return [
    ...(homeGround ? [[homeGround.ground, homeGround.text] as const] : []),
    [light.ground, light.text] as const,
    [light.text, light.ground] as const,
  ]
}

/** The form of an address by which a copy knows its place; the paths of a site always have one. */
function addressOf(path: string): string {
  return normalPath(path) ?? ''
}
