import { dirname } from 'node:path/posix'
import type { PageId } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { wordSet } from '#platform/base/text.ts'
import type { Document } from '../document.ts'
import { placeOnSite } from '../sources/facts.ts'
import { isReadme } from '../sources/leave-out.ts'
import type { Entry } from '../sources/source.ts'
import { withoutAddresses, wordsOf } from './readme.ts'

type Placed = Document & { id: PageId }

/** Why pages are in no menu of the guide, although their front matter does not say so. */
export function reasonsOutsideMenus(pages: readonly Placed[]): Map<Entry, string> {
  const unset = pages.filter(({ meta }) => meta.nav === undefined)
  const reasons = REASONS.map(([judge, why]) => ({ outside: new Set(judge(pages)), why }))
  return new Map(
    unset.flatMap(page =>
      reasons.filter(({ outside }) => outside.has(page)).map(({ why }) => [page.entry, why] as const),
    ),
  )
}

/** The pages of a guide that no menu has; the last row that applies counts. */
const REASONS: readonly (readonly [judge: (pages: readonly Placed[]) => Placed[], why: string])[] = [
  [pages => pages.filter(isPost), 'it is a post, which menus do not have'],
  [outsideSite, 'it is outside of the site'],
  [outsideMenu, 'the menu of the site has no link to it'],
  [pages => pages.filter(({ isUnlinked }) => isUnlinked), 'no page of the site links to it'],
  [besideOthers(isInstruction), 'it instructs an AI'],
  [besideOthers(isAboutGit), 'it is about work with git'],
  [besideOthers(isAmongFiles), 'it is in a folder of files'],
  [besideOthers(isAboutSite), 'it is about the website, to which footers lead'],
]

function isPost({ entry: { path }, facts }: Document): boolean {
  return dirname(path)
    .split('/')
    .includes(facts.generator.dated || '/')
}

/** Settings of another program, such as that of an editor, say nothing about a home page outside of their folder. */
function outsideSite(pages: readonly Placed[]): Placed[] {
  const outside = pages.filter(isOutsideSite)
  return outside.some(({ id }) => id === HOME_PAGE) ? [] : outside
}

/** Whether a page is outside of the folder with the settings of its generator, which makes a website of this. */
function isOutsideSite({ entry: { path }, facts }: Document): boolean {
  const isInner = facts.generator.outputs.length > 0 && facts.root !== '' && facts.roots.length === 0
  return isInner && !isReadme(path) && !placeOnSite(path, facts).isBelow
}

/** The pages that a menu which has most pages of its site leaves out. */
function outsideMenu(pages: readonly Placed[]): Placed[] {
  const apart = pages.filter(({ entry: { path }, facts, id }) => {
    const isListed = ['.', path, ...foldersAbove(path)].some(place => facts.menu.has(place))
    return !isListed && id !== HOME_PAGE && placeOnSite(path, facts).isBelow
  })
  return apart.length * 2 > pages.length ? [] : apart
}

/** The pages of a kind that is not about the brand, apart from the home page; none if most pages are of this kind. */
function besideOthers(isKind: (page: Placed) => boolean): (pages: readonly Placed[]) => Placed[] {
  return pages => {
    const beside = pages.filter(isKind).filter(({ id }) => id !== HOME_PAGE)
    return beside.length * 2 > pages.length ? [] : beside
  }
}

function isInstruction({ entry: { path } }: Document): boolean {
  return hasName(path, SKILLS)
}

const SKILLS = wordSet('skills prompts skill.md')

function isAboutGit({ text }: Document): boolean {
  const words = wordsOf(withoutAddresses(text))
  const ofGit = words.filter(word => GIT.has(word)).length
  return ofGit >= Math.max(MIN_GIT, words.length / 50)
}

const GIT = wordSet('git github gitlab repository repo commit commits pull')
const MIN_GIT = 8

/** Whether a page in HTML is in a folder with pictures and other files, such as an example that these show. */
function isAmongFiles({ head, entry: { path } }: Document): boolean {
  return head !== undefined && hasName(dirname(path), FILE_FOLDERS)
}

const FILE_FOLDERS = wordSet('assets static downloads')

/** Whether a page says what the law asks of a website. */
function isAboutSite({ id }: Placed): boolean {
  return LEGAL.has(id)
}

const LEGAL = wordSet(`accessibility-statement privacy privacy-policy privacy-notice cookies cookie-policy
  terms-of-use terms-and-conditions disclaimer imprint impressum datenschutz mentions-legales`)

/** Whether a folder or file in a path has one of these names. */
function hasName(path: string, names: ReadonlySet<string>): boolean {
  return path.split('/').some(name => names.has(name.toLowerCase()))
}
