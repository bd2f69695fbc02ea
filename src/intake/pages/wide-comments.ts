import { type BrandFile, isPagePhotograph, isVideo } from '../../brand/file.ts'
import type { PageId } from '../../brand/ids.ts'
import type { Page, Target } from '../../brand/page.ts'
import { problem } from '../folder/findings.ts'
import type { WideBlock, WideItem } from '../markdown/wide-blocks.ts'
import type { ProjectReading } from '../reading.ts'
import type { LinkedPage } from './page-links.ts'
import type { PageSource } from './pages.ts'

/** The content of a project that decides how wide the website shows the targets of links. */
type WideContext = { files: readonly BrandFile[]; notes: ReadonlyMap<PageId, Pick<Page, 'cover'>> }

/**
 * Reports each `wide` comment before a block that reaches the wide edge without it. Such a comment still makes the whole
 * page wide: then the first of the page is not reported.
 *
 * @param pages the linked pages, in the order of their sources
 */
export function reportNeedlessWide(
  { project, findings }: Pick<ProjectReading, 'project' | 'findings'>,
  sources: readonly PageSource[],
  pages: readonly LinkedPage[],
  { files, notes }: WideContext,
): void {
  const fileAt = new Map(files.map(file => [file.path, file]))
  const isCovered = (id: PageId) => notes.get(id)?.cover !== undefined
  for (const [at, { id, path, wideBlocks, notes: own }] of sources.entries()) {
    if (!wideBlocks) continue
    const links = pages[at]?.id === id ? pages[at].links() : []
    const lookOf = (item: WideItem): Look => {
      const to = links.find(({ start }) => start >= item.start && start < item.end)?.to
      return lookAt(item, to, fileAt.get(to?.file ?? ''), isCovered)
    }
    const needless = wideBlocks.blocks.filter(block => isWideByItself(block, block.items.map(lookOf)))
    const isWide = wideBlocks.isComposed || own.wide || needless.length < wideBlocks.blocks.length
    for (const { line } of isWide ? needless : needless.slice(1))
      findings.add(project.id, path, problem('layout-comment', NEEDLESS, line))
  }
}

const NEEDLESS = '<!-- wide --> has no effect here: the block after it is as wide without it, so remove it'

/** How the website shows a part of a block by itself. */
type Look = 'picture' | 'photograph' | 'film' | 'colour' | 'share' | 'palette' | 'type' | Card | 'other'
type Card = 'download' | 'page' | 'external'

function lookAt(
  { kind }: WideItem,
  to: Target | undefined,
  file: BrandFile | undefined,
  isCovered: (id: PageId) => boolean,
): Look {
  if (kind === 'external' || kind === 'other') return kind
  if (!to) return 'other'
  if (file && isVideo(file)) return 'film'
  if (kind === 'picture') return file && isPagePhotograph(file) ? 'photograph' : 'picture'
  if (kind === 'share') return to.list === 'colors' && to.id !== undefined ? 'share' : 'other'
  if (to.list !== undefined) return to.list === 'types' ? 'type' : to.id === undefined ? 'palette' : 'colour'
  if (to.page !== undefined) return isCovered(to.page) ? 'page' : 'other'
  return 'download'
}

/** Whether `wide` changes nothing: the block reaches the wide edge by itself, or is a line of links. */
function isWideByItself({ form }: WideBlock, looks: readonly Look[]): boolean {
  if (form === 'wide') return true
  const [first, ...others] = looks
  if (first === undefined || looks.includes('other')) return false
  if (form === 'paragraph') return others.length > 0 || WIDE.has(first)
  if (looks.every(look => look === 'picture' || look === 'photograph')) return true
  if (looks.some(look => cardOf(look) !== cardOf(first))) return false
  return others.length > 0 || !CARDS.has(cardOf(first))
}

const WIDE: ReadonlySet<Look> = new Set(['photograph', 'film', 'colour', 'palette', 'type'])

/** In a list, a film is a card. */
function cardOf(look: Look): Look {
  return look === 'film' ? 'download' : look
}

const CARDS: ReadonlySet<Look> = new Set(['download', 'page', 'external'])
