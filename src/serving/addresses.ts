import { createHmac } from 'node:crypto'
import { equalsInConstantTime } from '../base/bytes.ts'
import { pacing } from '../base/steps.ts'
import { type BrandFile, filename } from '../brand/file.ts'
import { HOME_PAGE, type Link, type Page } from '../brand/page.ts'
import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import type { Publication } from './publications.ts'

/** The addresses of what a project serves; the same for as long as the public URL, the content and the file key are. */
export type Addresses = {
  project: (record: ProjectRef) => string
  page: (record: ProjectRef, page: string) => string
  file: (record: ProjectRecord, file: BrandFile) => string
  /** The unguessable part of a file's address. */
  fileKey: (record: ProjectRecord, file: BrandFile) => string
  /** Whether a key was made for a file of this project, now or earlier: told without looking at what there is. */
  isFileKey: (ref: ProjectRef, key: string) => boolean
}

type ProjectRef = { workspace: string; project: string }

/** Addresses below a public URL (without a slash at its end); `secret` makes the addresses of files unguessable. */
export function addressesBelow(publicUrl: string, secret: Uint8Array): Addresses {
  const project = (record: ProjectRef) => `${publicUrl}/${record.workspace}/${record.project}`
  const hmac = (...of: readonly (string | number)[]) =>
    createHmac('sha256', secret).update(JSON.stringify(of)).digest('base64url').slice(0, PART_LENGTH)
  const withMac = ({ workspace, project }: ProjectRef, part: string) => part + hmac(workspace, project, part)
  const fileKey = (record: ProjectRecord, { hash }: BrandFile) =>
    withMac(record, hmac(record.workspace, record.project, hash, record.fileKey))
  return {
    project,
    page: (record, page) =>
      page === HOME_PAGE ? project(record) : `${project(record)}/${page.split('/').map(encodeSegment).join('/')}`,
    file: (record, file) => `${project(record)}/-/files/${fileKey(record, file)}/${encodeSegment(filename(file.path))}`,
    fileKey,
    isFileKey: (ref, key) => equalsInConstantTime(key, withMac(ref, key.slice(0, PART_LENGTH))),
  }
}

/** 96 bits, in base64url: a key has a part for the file, and one that shows that we made it for the project. */
const PART_LENGTH = 16

/** Percent-encodes all but unreserved characters (RFC 3986 §2.3), so that an address can stand anywhere in Markdown. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

/**
 * The Markdown of a page with an absolute address in each relative link that leads to something in the project; made in
 * steps between which the service answers others.
 */
export async function contentWithAddresses(
  publication: Publication,
  page: Page,
  addresses: Addresses,
): Promise<string> {
  const text = await publication.content.text(page)
  const files = page.links.some(link => 'file' in link.to) ? await publication.content.files() : NO_FILES
  const addressOf = ({ to }: Link): string | undefined => {
    if ('page' in to) return addresses.page(publication.record, to.page)
    const file = files.get(to.file)
    return file && addresses.file(publication.record, file)
  }
  const parts: string[] = []
  const pace = pacing(LINKS_AT_ONCE)
  let end = 0
  for (const link of page.links) {
    parts.push(text.slice(end, link.start), addressOf(link) ?? text.slice(link.start, link.end))
    end = link.end
    await pace(1)
  }
  return parts.join('') + text.slice(end)
}

/** Of a file, an address takes some 10 µs. */
const LINKS_AT_ONCE = 200
const NO_FILES: ReadonlyMap<string, BrandFile> = new Map()
