import { yieldIfDue } from '../../base/steps.ts'
import type { Page, Target } from '../../brand/page.ts'
import { targetAddress } from '../../serving/addresses.ts'
import type { LinkTarget, PageTarget } from '../cards/link-target.ts'
import type { Guide } from '../guide/guide.ts'
import { colorOf } from '../library/colors/color-list.ts'
import { coverMedia } from './cover.ts'
import { fileTarget, linkedFolders, picturePreview } from './linked-files.ts'
import { styleTarget } from './linked-styles.ts'

/**
 * The targets of a page's links, keyed by their address in the text, with the content of their cards. If a page has very
 * many links, only the first ones. Made in steps.
 */
export async function linkedTargets(guide: Guide, page: Page): Promise<ReadonlyMap<string, LinkTarget>> {
  const targets = new Map<string, LinkTarget>()
  const folders = await linkedFolders(guide, page)
  const { record, content } = guide.publication
  const files = await content.files()
  for (const { to } of page.links) {
    if (targets.size >= MAX_TARGETS) break
    await yieldIfDue()
    const address = targetAddress(record, to, files, guide.paths)
    if (address === undefined || targets.has(address)) continue
    const thing = to.folder === undefined ? await targetAt(guide, to) : folders.get(to.folder)
    if (thing) targets.set(address, thing)
  }
  return targets
}

/** The maximum number of cards. */
const MAX_TARGETS = 500

async function targetAt(guide: Guide, to: Target): Promise<LinkTarget | undefined> {
  const { content } = guide.publication
  if (to.list !== undefined) return styleTarget(guide, to)
  if (to.file !== undefined) {
    const file = (await content.files()).get(to.file)
    return file && fileTarget(guide, file)
  }
  const page = (await content.pages()).get(to.page ?? '')
  return page && pageTarget(guide, page)
}

async function pageTarget(guide: Guide, { description, cover, ground: own }: Page): Promise<PageTarget> {
  if (cover?.file !== undefined) {
    const { picture } = await coverMedia(guide, cover)
    return { kind: 'page', description, cover: picture && (await picturePreview(guide, picture.file, own)) }
  }
  const ground = (await colorOf(guide, own ?? cover?.color))?.hex
  return { kind: 'page', description, ...(ground !== undefined && { cover: { ground } }) }
}
