import { setImmediate as nextTurn } from 'node:timers/promises'
import { TOKEN_EXTENSION } from '#brand/fields.ts'
import { dayOf } from '#brand/file.ts'
import { brandFile, brandOf } from '#delivery/export/brands/brand-json.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { PUBLIC_CACHING } from '#serving/publications/publications.ts'
import { exportSource } from './exports/export-view.ts'
import { openGuide } from './guide-reply.ts'
import type { Site } from './site.ts'

/**
 * `/.well-known/brand.json`: the only public guide of the service, or at its own host of the workspace, as a brand; or
 * several ones as the brands of a house, without translations of others. Undefined without a public guide.
 */
export async function discoveryReply(site: Site, request: Request): Promise<Reply | undefined> {
  const { pointers, access } = site.service
  const key = `/.well-known/brand.json@${pointers.version()}@${dayOf(new Date(access.clock()))}`
  return site.pages.reply(key, request, async () => {
    const brands = await openBrands(site)
    const bytes = brands && brandFile(brands)
    // Never in `dev`: a hostile page in the author's browser could read unpublished content.
    const cors = site.live ? [] : ['Access-Control-Allow-Origin', '*']
    return bytes && { bytes, type: ['Content-Type', 'application/json'], about: [...PUBLIC_CACHING, ...cors] }
  })
}

/** One brand, or a house of several; undefined without any. Guides above `MAX_BRANDS` are only counted. */
async function openBrands(site: Site): Promise<object | undefined> {
  const { pointers, openPublication } = site.service
  const { total, workspaces } = await openWorkspaces(site)
  const brands: object[] = []
  let unlistedGuides = total
  for (const { id, name, projects } of workspaces) {
    const { open = [] } = (await pointers.openWorkspace(id)) ?? {}
    for (const { project } of projects) {
      const publication = openPublication(open.find(record => record.project === project))
      unlistedGuides--
      const original = await publication?.content.translation()
      const isTranslation = open.some(record => record.project === original?.of)
      if (!publication || isTranslation) continue
      brands.push((await brandOf(exportSource(await openGuide(site, publication, name)))).brand)
      await nextTurn()
    }
  }
  if (brands.length + unlistedGuides <= 1) return brands[0]
  const domain = new URL(site.url).hostname
  const [workspaceName = domain, ...otherNames] = workspaces.map(({ name }) => name)
  const leftOut = unlistedGuides > 0 && { [TOKEN_EXTENSION]: { leftOut: `${unlistedGuides} more guides` } }
  // A house with one workspace has its name, with several the domain of the service.
  const house = { domain, name: otherNames.length === 0 ? workspaceName : domain, ...leftOut }
  return { house, brands }
}

/** The workspaces with public guides: all of the service, or at its own host only that one. */
async function openWorkspaces({ place, service: { openProjects, pointers } }: Site) {
  if (!place) return openProjects.first(MAX_BRANDS)
  const { id, name, open } = (await pointers.openWorkspace(place.workspace)) ?? { id: '', name: '', open: [] }
  return { total: open.length, workspaces: [{ id, name, projects: open.slice(0, MAX_BRANDS) }] }
}

const MAX_BRANDS = 100
