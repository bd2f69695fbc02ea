import { createHmac, createSecretKey } from 'node:crypto'
import { DRAFT_PATH, REVISION_PATH } from '#brand/contract/operations.ts'
import { type BrandFile, filename } from '#brand/file.ts'
import type { ProjectRef, StyleId } from '#brand/ids.ts'
import { HOME_PAGE, type Link, type Page, STAGE, type StyleTarget, type Target } from '#brand/page.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import type { Publication } from './publications/publications.ts'

/** A project, its draft, or one of its revisions for people who manage it. The last two have addresses below their own path. */
type AddressedRef = ProjectRef & { draftOf?: ProjectRef; managedRevision?: number }
type AddressedRecord = AddressedRef & Pick<ProjectRecord, 'fileKey'>

/**
 * The start of the addresses of a project's pages, and of its files: `https://brand.example/acme/web`. Empty for pages at
 * the root of a host.
 */
export type Roots = Readonly<Record<'page' | 'file', (ref: ProjectRef) => string>>

/** The addresses below a project. They stay the same as long as the public URL, the hosts, the content and the file key do. */
export type Addresses = {
  project: (record: AddressedRef) => string
  /** Anything below a project that is no page: `/-/colors`. */
  below: (record: AddressedRef, path: string) => string
  /** A part that a page loads, from its own host. */
  part: (record: AddressedRef, path: string) => string
  page: (record: AddressedRef, page: string) => string
  markdown: (record: AddressedRef, page: string) => string
  file: (record: AddressedRecord, file: BrandFile) => string
  /** A smaller version of a picture, as WebP; `width` in pixels. */
  thumbnail: (record: AddressedRecord, file: BrandFile, width: number) => string
  /** An SVG as PNG, for `?width=`. */
  png: (record: AddressedRecord, file: BrandFile) => string
  /** A picture as JPEG, for `?width=`. */
  jpg: (record: AddressedRecord, file: BrandFile) => string
  /** A list of styles, or the anchor of a style or a group in it. */
  style: (ref: AddressedRef, to: StyleTarget) => string
  folder: (ref: AddressedRef, path: string) => string
  /** The unguessable part of a file's address. */
  fileKey: (record: AddressedRecord, file: BrandFile) => string
  /** Whether a key was issued for a file of this project, now or earlier. This does not depend on existing files. */
  isFileKey: (ref: AddressedRef, key: string) => boolean
}

/** A public URL has no slash at its end. `secret` makes the addresses of files unguessable. */
export function createAddresses(roots: Roots | string, secret: Uint8Array): Addresses {
  const whole = (ref: ProjectRef) => `${roots}/${ref.workspace}/${ref.project}`
  const { page: pageRoot, file: fileRoot } = typeof roots === 'string' ? { page: whole, file: whole } : roots
  const below = (ref: AddressedRef, path: string) => `${pageRoot(ref)}${formOf(ref).path}${path}`
  const part = (ref: AddressedRef, path: string) => `${fileRoot(ref)}${formOf(ref).path}${path}`
  const belowFiles = (ref: AddressedRef, path: string) => part(ref, `/-/${path}`)
  const belowPages = (ref: AddressedRef, page: string) => below(ref, page === HOME_PAGE ? '' : `/${encodePath(page)}`)
  const { fileKey, isFileKey } = fileKeys(secret)
  const converted = (record: AddressedRecord, file: BrandFile, format: string) =>
    belowFiles(record, `${format}/${fileKey(record, file)}/${encodeSegment(`${filename(file.path)}.${format}`)}`)
  return {
    project: ref => below(ref, '') || '/',
    below,
    part,
    page: (record, page) => belowPages(record, page) || '/',
    markdown: (record, page) => {
      const address = belowPages(record, page)
      // The home page at the root of a host has no name of its own: its address is empty, or `https://brand.example`.
      return /^(?:https?:\/\/[^/]+)?$/.test(address) ? `${address}/${HOME_PAGE}.md` : `${address}.md`
    },
    file: (record, file) => belowFiles(record, `files/${fileKey(record, file)}/${encodeSegment(filename(file.path))}`),
    thumbnail: (record, file, width) =>
      belowFiles(record, `thumbnails/${fileKey(record, file)}/${width}/${encodeSegment(filename(file.path))}`),
    png: (record, file) => converted(record, file, 'png'),
    jpg: (record, file) => converted(record, file, 'jpg'),
    style: (ref, to) => below(ref, `/-/${to.list === 'colors' ? 'colors' : 'type'}${styleFragment(to)}`),
    folder: (ref, path) => {
      const [, ...folders] = path.split('/') // `files/logo/print` is the kit `logo/print`.
      return belowFiles(ref, path === 'files' ? 'files.zip' : `kits/${folders.map(encodeSegment).join('/')}.zip`)
    },
    fileKey,
    isFileKey,
  }
}

/** The path of a project, its draft or a revision below the project, and the label of its keys. */
type Form = { path: string; label: readonly (string | number)[] }

function formOf({ draftOf, managedRevision }: AddressedRef): Form {
  if (draftOf) return DRAFT
  if (managedRevision === undefined) return PUBLISHED
  return { path: `${REVISION_PATH}/${managedRevision}`, label: ['revision', managedRevision] }
}

const PUBLISHED: Form = { path: '', label: [] }
/** A draft has its own keys, so that its addresses do not become valid when it is published. */
const DRAFT: Form = { path: DRAFT_PATH, label: ['draft'] }

/**
 * Makes and checks the keys in the addresses of files. A key has two parts of the same length: the first names the file,
 * and the second proves that this service issued the first for this project.
 */
function fileKeys(secret: Uint8Array): Pick<Addresses, 'fileKey' | 'isFileKey'> {
  const secretKey = createSecretKey(secret)
  const hmac = (...of: readonly (string | number)[]) =>
    createHmac('sha256', secretKey).update(JSON.stringify(of)).digest('base64url').slice(0, PART_LENGTH)
  const withProof = (ref: AddressedRef, filePart: string) =>
    filePart + hmac(ref.workspace, ref.project, filePart, ...formOf(ref).label)
  // A page has several addresses of each file, and two keyed hashes take longer than the rest of an entry in a list.
  const keys = new WeakMap<BrandFile, { record: AddressedRecord; key: string }>()
  const fileKey = (record: AddressedRecord, file: BrandFile) => {
    const kept = keys.get(file)
    if (kept?.record === record) return kept.key
    const filePart = hmac(record.workspace, record.project, file.hash, record.fileKey, ...formOf(record).label)
    const key = withProof(record, filePart)
    keys.set(file, { record, key })
    return key
  }
  return {
    fileKey,
    isFileKey: (ref, key) => equalsInConstantTime(key, withProof(ref, key.slice(0, PART_LENGTH))),
  }
}

function styleFragment({ list, id, group }: StyleTarget): string {
  if (id !== undefined) return `#${encodeSegment(list === 'colors' ? colorAnchor(id) : typeAnchor(id))}`
  return group === undefined ? '' : `#${encodeSegment(groupAnchor(group))}`
}

/** The prefix keeps it distinct from other ids there. */
export function colorAnchor(id: StyleId): string {
  return `color-${id}`
}

export function groupAnchor(slug: string): string {
  return `group-${slug}`
}

export function typeAnchor(id: string): string {
  return `type-${id}`
}

/** 96 bits in base64url. A key has two such parts: for the file, and as proof that this service issued it. */
const PART_LENGTH = 16

/** Encodes all except unreserved characters (RFC 3986 §2.3), so that an address is valid anywhere in Markdown. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeSegment).join('/')
}

/** The Markdown of a page in which each relative link to something in the project has an absolute address. */
export async function contentWithAddresses(
  publication: Publication,
  page: Page,
  addresses: Addresses,
): Promise<string> {
  return withAddresses(publication, page, await publication.content.text(page), addresses)
}

/** The Markdown of a page as `contentWithAddresses` gives it, from a given text. */
export async function withAddresses(
  { record, content }: Publication,
  page: Page,
  text: string,
  addresses: Addresses,
): Promise<string> {
  const files = page.links.some(({ to }) => to.file !== undefined) ? await content.files() : NO_FILES
  return textWithLinks(text, page.links, to => targetAddress(record, to, files, addresses))
}

/** Replaces the targets of links. A link without an address stays as written. */
export async function contentWithLinks(
  publication: Publication,
  page: Page,
  addressOf: (to: Target) => string | undefined,
): Promise<string> {
  return textWithLinks(await publication.content.text(page), page.links, addressOf)
}

/** A text in which the targets of its links, from `start` to `end` of each, are addresses. Links are in their order. */
export function textWithLinks(
  text: string,
  links: Page['links'],
  addressOf: (to: Target) => string | undefined,
): string {
  const parts: string[] = []
  let end = 0
  for (const link of links) {
    const { to } = link
    const address = addressOf(to)
    // `?stage` of a file stays in the text behind its path. That of a list is part of the target, which is replaced.
    const asksInTarget = to.list !== undefined && asksForStage(text, link)
    const target = asksInTarget ? address && stageAddress(address) : address
    parts.push(text.slice(end, link.start), target ?? text.slice(link.start, link.end))
    end = link.end
  }
  return parts.join('') + text.slice(end)
}

/** Whether a link asks for the stage of its target: `logo.svg?stage`, `colors.yaml?stage#greys`. */
export function asksForStage(text: string, { start, end, to }: Link): boolean {
  return to.list === undefined
    ? STAGE_AFTER_PATH.test(text.slice(end, end + STAGE.length + 2))
    : STAGE_IN_LIST.test(text.slice(start, end))
}

const STAGE_AFTER_PATH = new RegExp(`^\\?${STAGE}(?![\\w&=%.-])`)
const STAGE_IN_LIST = new RegExp(`\\?${STAGE}(?:#|$)`)

/** The address of a target in the text of a link that asks for its stage. */
export function stageAddress(address: string): string {
  return address.replace(/(?=#|$)/, `?${STAGE}`)
}

/** The address of the target of a link; undefined if it is the list of words, or a file that is not in `files`. */
export function targetAddress(
  record: AddressedRecord,
  to: Target,
  files: ReadonlyMap<string, BrandFile>,
  addresses: Addresses,
): string | undefined {
  if (to.page !== undefined) return addresses.page(record, to.page)
  if (to.folder !== undefined) return addresses.folder(record, to.folder)
  if (to.list !== undefined) return addresses.style(record, to)
  const file = to.file === undefined ? undefined : files.get(to.file)
  return file && addresses.file(record, file)
}

const NO_FILES: ReadonlyMap<string, BrandFile> = new Map()
