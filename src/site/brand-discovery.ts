import { setImmediate as nextTurn } from 'node:timers/promises'
import { TOKEN_EXTENSION } from '../brand/fields.ts'
import { dayOf } from '../brand/file.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { brandFile, brandOf } from '../export/brands/brand-json.ts'
import { PUBLIC_CACHING } from '../serving/publications/publications.ts'
import type { Representation } from '../serving/replies/response-cache.ts'
import { exportSource } from './exports/export-view.ts'
import type { Guide } from './guide/guide.ts'
import { openGuide } from './guide-reply.ts'
import type { Site } from './site.ts'

/**
 * `/.well-known/brand.json`: the only public guide of the service as a brand, or several ones as the brands of a house.
 * Undefined without a public guide.
 */
export function discoveryReply(site: Site, request: Request): Promise<Reply | undefined> | Reply | undefined {
  const { pointers, access } = site.service
  const key = `/.well-known/brand.json@${pointers.version()}@${dayOf(new Date(access.clock()))}`
  return site.pages.reply(key, request, async () => {
    const { guides, total } = await openGuides(site)
    const [only] = guides
    if (!only) return undefined
    const content = total === 1 ? (await brandOf(exportSource(only))).brand : await houseOf(site, guides, total)
    return brandReply(site, content)
  })
}

/** The first public guides, and the number of all. */
async function openGuides(site: Site): Promise<{ guides: Guide[]; total: number }> {
  const { openProjects, pointers, openPublication } = site.service
  const { total, workspaces } = await openProjects.first(MAX_BRANDS)
  const guides: Guide[] = []
  for (const { id, name, projects } of workspaces) {
    const { open = [] } = (await pointers.openWorkspace(id)) ?? {}
    for (const { project } of projects) {
      const publication = openPublication(open.find(record => record.project === project))
      if (publication) guides.push(await openGuide(site, publication, name))
    }
  }
  return { guides, total }
}

const MAX_BRANDS = 100

async function houseOf(site: Site, guides: readonly Guide[], total: number): Promise<object> {
  const brands: object[] = []
  for (const guide of guides) {
    brands.push((await brandOf(exportSource(guide))).brand)
    await nextTurn()
  }
  const domain = new URL(site.service.access.publicUrl).hostname
  const [name = domain, ...others] = new Set(guides.map(({ workspace }) => workspace))
  const leftOut = total > guides.length && { [TOKEN_EXTENSION]: { leftOut: `${total - guides.length} more guides` } }
  return { house: { domain, name: others.length === 0 ? name : domain, ...leftOut }, brands }
}

function brandReply({ live }: Site, content: object): Representation | undefined {
  const { content: bytes } = brandFile(content)
  if (!(bytes instanceof Uint8Array)) return undefined
  return {
    bytes,
    type: ['Content-Type', 'application/json'],
    // Never in `dev`: a hostile page in the author's browser could read unpublished content.
    about: live ? PUBLIC_CACHING : [...PUBLIC_CACHING, 'Access-Control-Allow-Origin', '*'],
  }
}
