import type { Scope } from '#brand/contract/operations.ts'
import { isPicture } from '#brand/file.ts'
import type { Page } from '#brand/page.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok } from '#platform/base/result.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { type ContentId, contentId, KINDS, type Kind, parseContentId } from './content-id.ts'
import { groundsText, type ItemTarget, itemOf } from './items.ts'
import type { Outcome } from './output.ts'
import { findPage, readPage } from './pages.ts'
import { textPart } from './reply-size.ts'
import { type Arguments, notFound, openProject, type Reader, type Section } from './tool.ts'

/**
 * Returns one item with all its text: a page, a section of a page, a colour, a type style or a file. An id without a kind,
 * such as `guidelines/logo`, means any item with this name, if there is only one.
 */
export async function fetchItem(reader: Reader, { id }: Arguments): Promise<Fetched> {
  const parsed = parseContentId(id)
  if (!parsed) return failed(`${JSON.stringify(id.slice(0, 100))} is not an id. ${FORM}`)
  const opened = openProject(reader, parsed.project)
  if (!opened.ok) return opened
  const { kind } = parsed
  if (reader.isGuide && opened.value.record.project !== parsed.project)
    return failed(`This server has only the project ${opened.value.record.project}. ${FORM}`)
  const missing = kind && missingScope(reader, kind)
  if (missing) return failed(missing)
  const items = await candidates(reader, opened.value, parsed)
  const [only] = items
  if (!only) return failed(await explainUnknown(reader, opened.value, parsed))
  if (items.length > 1)
    return failed(`Several items have this id. Use one of: ${items.map(each => each.id).join(', ')}`)
  return only.read()
}

const NOT_DRAWN = ' Its picture cannot be shown here: open the url.'

const FORM =
  'Use an id from search, such as page:guidelines/logo, color:guidelines/ink, type:guidelines/body or file:guidelines/files/logo.svg.'

const SCOPE_OF: Readonly<Record<Kind, Scope>> = {
  page: 'document.read',
  color: 'styles.read',
  type: 'styles.read',
  file: 'files.read',
}

function missingScope({ scopes }: Reader, kind: Kind): string | undefined {
  const scope = SCOPE_OF[kind]
  return scopes.has(scope) ? undefined : `The token lacks the scope ${scope}, which items of this kind need.`
}

/** The kinds of an id that the reader may see. */
function kindsOf(reader: Reader, { kind }: ContentId): readonly Kind[] {
  return KINDS.filter(each => (kind ?? each) === each && !missingScope(reader, each))
}

/** An item, with its picture if it has one. */
type Fetched = Outcome<'fetch'> & { picture?: Uint8Array | undefined }

type Candidate = { id: string; read: () => Promise<Fetched> }

/** The items with an id: at most one of each kind that the reader may see. */
async function candidates(reader: Reader, publication: Publication, wanted: ContentId): Promise<Candidate[]> {
  const { project } = publication.record
  const found = kindsOf(reader, wanted).map(async (kind): Promise<Candidate[]> => {
    if (kind !== 'page') {
      const target = await targetOf(publication, kind, wanted.name)
      const id = contentId(kind, project, wanted.name)
      return target ? [{ id, read: () => styleOrFile(reader, publication, target) }] : []
    }
    const page = await findPage(publication, wanted.name)
    if (!page) return []
    return [{ id: contentId(kind, project, page.id), read: () => pageItem(reader, publication, page, wanted) }]
  })
  return (await Promise.all(found)).flat()
}

/** The item of a kind with this name in its id. */
async function targetOf(
  { content }: Publication,
  kind: Exclude<Kind, 'page'>,
  name: string,
): Promise<ItemTarget | undefined> {
  if (kind === 'file') {
    const of = (await content.files()).get(name)
    return of && { kind, of }
  }
  if (kind === 'color') {
    const of = (await content.colors()).find(({ id }) => id === name)
    return of && { kind, of }
  }
  const of = (await content.types()).find(({ id }) => id === name)
  return of && { kind, of }
}

/** Reads a colour, type style or file; a file also with its verdicts on the colours of the brand, and its picture. */
async function styleOrFile(reader: Reader, publication: Publication, target: ItemTarget): Promise<Fetched> {
  const { kind, id, title, text, url, page } = await itemOf(reader, publication, target)
  const metadata = { kind, project: publication.record.project, ...(page !== '' && { page }) }
  if (target.kind !== 'file') return ok({ id, title, text, url, metadata })
  const { of: file } = target
  const [grounds, picture] = await Promise.all([
    groundsText(reader, publication, file),
    reader.picture?.(publication, file),
  ])
  const hasPicture = isPicture(file) || file.contentType === 'application/pdf'
  const note = reader.picture && hasPicture && !picture ? NOT_DRAWN : ''
  return { ...ok({ id, title, text: text + grounds + note, url, metadata }), picture }
}

/** Reads a page or one of its sections, from the offset that the id names (`@21000`). */
async function pageItem(
  reader: Reader,
  publication: Publication,
  page: Page,
  wanted: ContentId,
): Promise<Outcome<'fetch'>> {
  const { project } = publication.record
  const { text, sections } = await readPage(reader, publication, page)
  const { offset } = wanted
  // Programs may send the letters and accents of an anchor apart.
  const anchor = wanted.anchor.normalize('NFC')
  const wholeId = contentId('page', project, page.id)
  // Without an anchor, it is the first section, which is the whole page.
  const section = sections.find(each => each.anchor === anchor)
  if (!section) return failed(notFound('section', anchor, anchorsOf(sections), `Fetch ${wholeId} for the whole page.`))
  const start = Math.max(offset, section.start)
  if (start > section.end) return failed(`This text ends at ${section.end}: fetch it without @${offset}.`)
  const { part, nextOffset } = textPart(text, start, section.end)
  const next =
    nextOffset === undefined ? undefined : contentId('page', project, page.id, { anchor, offset: nextOffset })
  const { title, url, wholePage } = namesOf(section, page, reader.addresses.page(publication.record, page.id), wholeId)
  return ok({
    id: contentId('page', project, page.id, { anchor, offset }),
    title,
    text: part,
    url,
    metadata: { kind: 'page', project, page: page.id, ...withoutUndefined({ wholePage, next }) },
  })
}

function anchorsOf(sections: readonly Section[]): string[] {
  return sections.map(({ anchor }) => anchor).filter(anchor => anchor !== '')
}

/** The title and address of a section, and the id of the page that it is a part of, unless it is the whole page. */
function namesOf({ anchor, heading }: Section, { name }: Page, address: string, pageId: string) {
  if (anchor === '') return { title: name, url: address, wholePage: undefined }
  return { title: `${name}: ${heading}`, url: `${address}#${encodeURIComponent(anchor)}`, wholePage: pageId }
}

/** Lists the nearest ids of the kinds that the reader may see. */
async function explainUnknown(reader: Reader, publication: Publication, wanted: ContentId): Promise<string> {
  const { record, content } = publication
  const names: Readonly<Record<Kind, () => Promise<Iterable<string>>>> = {
    page: async () => (await content.pages()).keys(),
    color: async () => (await content.colors()).map(({ id }) => id),
    type: async () => (await content.types()).map(({ id }) => id),
    file: async () => (await content.files()).keys(),
  }
  const ids: string[] = []
  for (const kind of kindsOf(reader, wanted))
    for (const name of await names[kind]()) ids.push(contentId(kind, record.project, name))
  const id = contentId(wanted.kind ?? 'page', record.project, wanted.name)
  return notFound('item', id, ids, 'Or call search.')
}
