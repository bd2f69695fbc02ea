import { hash } from 'node:crypto'
import { pick, withoutUndefined } from '#platform/base/object.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import { compareStrings } from '#platform/base/text.ts'
import {
  APPEARANCE_FIELDS,
  type Appearance,
  OFFICE_COLORS,
  OFFICE_FONTS,
  SCALE_FIELDS,
  THEME_FIELDS,
} from './appearance.ts'
import { COLOR_FIELDS } from './color.ts'
import type { Freezable, Translation } from './draft.ts'
import { keysOf } from './fields.ts'
import { type BrandFile, FILE_NOTE_KEYS, FOLDER_FIELDS } from './file.ts'
import { type Hash, isHash } from './ids.ts'
import { LINT_RULES, type LintSettings } from './lint-rules.ts'
import { type Cover, PAGE_FIELDS, type Page, type Target } from './page.ts'
import { TYPE_FIELDS, type TypeStyle } from './type-style.ts'

/** Bytes and the SHA-256 that names them. */
export type StoredObject = { hash: Hash; bytes: Uint8Array }

/**
 * The root object of a snapshot; its hash is the name of the snapshot. Lists are stored in chunks: changing one entry
 * makes one new chunk and a new root, regardless of the number of entries (decisions/0004).
 */
export type SnapshotRoot = {
  format: 1
  name: string
  lang?: string
  translation?: Translation
  appearance?: Appearance
  pages: readonly Hash[]
  colors: readonly Hash[]
  types: readonly Hash[]
  files: readonly Hash[]
}

export type KeepObject = (object: StoredObject) => MaybePromise<void>

/** Stores content as objects. The last is the root, whose hash names the snapshot. Equal content gives equal bytes. */
export async function freeze(content: Freezable, keep: KeepObject): Promise<Hash> {
  const appearance = appearanceEntry(content)
  const root: SnapshotRoot = {
    format: 1,
    name: content.name,
    ...pick(content, ['lang', 'translation']),
    ...(appearance && { appearance }),
    pages: await keepChunks(content.pages, pageEntry, idOf, keep),
    colors: await keepChunks(content.colors, color => pick(color, COLOR_KEYS), idOf, keep),
    types: await keepChunks(content.types, typeEntry, idOf, keep),
    files: await keepChunks(content.files, fileEntry, file => file.path, keep),
  }
  return keepText(JSON.stringify(root), keep)
}

/** The snapshot of a translation with the styles and files of a snapshot of its original. Equal ones give equal bytes. */
export async function inherit(snapshot: Hash, original: Hash, read: ReadObject, keep: KeepObject): Promise<Hash> {
  const root: SnapshotRoot = await parseObject(read, snapshot)
  const from: SnapshotRoot = await parseObject(read, original)
  const filesOf = async (chunks: readonly Hash[]) => {
    const files: BrandFile[] = []
    for (const chunk of chunks) files.push(...(await parseObject<BrandFile[]>(read, chunk)))
    return files
  }
  const ownFiles = (await filesOf(root.files)).filter(({ isInherited }) => !isInherited)
  const files = await keepChunks(withInherited(ownFiles, await filesOf(from.files)), fileEntry, file => file.path, keep)
  const styles = pick(from, root.translation?.inherits ?? [])
  return keepText(JSON.stringify({ ...root, ...styles, files }), keep)
}

/** The files of a translation: its own, and those of its original at other paths. */
export function withInherited(own: readonly BrandFile[], original: readonly BrandFile[]): BrandFile[] {
  const paths = new Set(own.map(({ path }) => path))
  const others = original.filter(({ path }) => !paths.has(path)).map(file => ({ ...file, isInherited: true as const }))
  return [...own, ...others].sort((a, b) => compareStrings(a.path, b.path))
}

export type ReadObject = (hash: Hash) => MaybePromise<Uint8Array>

export async function parseObject<Value>(read: ReadObject, hash: Hash): Promise<Value> {
  return JSON.parse(new TextDecoder().decode(await read(hash)))
}

const COLOR_KEYS = keysOf(COLOR_FIELDS)
const idOf = ({ id }: { id: string }) => id

export function storedObject(bytes: Uint8Array): StoredObject {
  return { hash: hashOf(bytes), bytes }
}

/** The SHA-256 of bytes. */
export function hashOf(bytes: Uint8Array): Hash {
  return parseHash(hash('sha256', bytes))
}

/** Parses a stored hash. Throws if it is invalid, which only happens in a damaged store. */
export function parseHash(text: string): Hash {
  if (!isHash(text)) throw new Error(`not a SHA-256 in hex: ${JSON.stringify(text.slice(0, 80))}`)
  return text
}

/**
 * The key of an entry decides whether a chunk ends there, on average after 64 entries, so an insertion shifts no other
 * chunk. A long chunk also ends, to limit memory.
 */
async function keepChunks<Entry>(
  entries: Iterable<Entry>,
  entryOf: (entry: Entry) => Entry,
  key: (entry: Entry) => string,
  keep: KeepObject,
): Promise<Hash[]> {
  const hashes: Hash[] = []
  let open: string[] = []
  let length = 0
  const close = async () => {
    hashes.push(await keepText(`[${open.join(',')}]`, keep))
    open = []
    length = 0
  }
  for (const entry of entries) {
    const text = JSON.stringify(entryOf(entry))
    open.push(text)
    length += text.length
    if (endsChunk(key(entry)) || open.length === MAX_CHUNK_ENTRIES || length > MAX_CHUNK_LENGTH) await close()
  }
  if (open.length > 0) await close()
  return hashes
}

const MAX_CHUNK_ENTRIES = 512
const MAX_CHUNK_LENGTH = 1 << 20

async function keepText(text: string, keep: KeepObject): Promise<Hash> {
  const object = storedObject(new TextEncoder().encode(text))
  await keep(object)
  return object.hash
}

function endsChunk(key: string): boolean {
  return (hash('sha256', key, 'buffer')[0] ?? 0) % 64 === 0
}

/* Entries have their fields in the order of a table because the key order affects the snapshot hash. */

function pageEntry(page: Page): Page {
  const links = page.links.map(({ start, end, to }) => ({ start, end, to: targetEntry(to) }))
  return pick({ ...page, links, ...(page.cover && { cover: coverEntry(page.cover) }) }, keysOf(PAGE_FIELDS))
}

function typeEntry(type: TypeStyle): TypeStyle {
  const { features, axes } = type
  const sorted = { ...type, features: sortedByTag(features), ...(axes && { axes: sortedByTag(axes) }) }
  return pick(sorted, TYPE_KEYS)
}

const TYPE_KEYS = [...keysOf(TYPE_FIELDS).filter(key => key !== 'axes'), 'axes'] as const

function sortedByTag(settings: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(settings).sort(([a], [b]) => compareStrings(a, b)))
}

function fileEntry(file: BrandFile): BrandFile {
  const { metadata } = file
  return {
    ...pick(file, ['path', 'size', 'contentType', 'hash']),
    ...(metadata && { metadata: metadataEntry(metadata) }),
    ...pick(file, ['names', 'isAnimated', 'isInherited']),
    ...pick(file, FILE_NOTE_KEYS),
  }
}

/** An appearance as a snapshot holds it; undefined if it has no fields. */
function appearanceEntry(appearance: Appearance): Appearance | undefined {
  const { theme, footer, office, folders, words, lint } = appearance
  const ordered = withoutUndefined({
    ...appearance,
    theme:
      theme &&
      pick({ ...theme, ...(theme.scale && { scale: pick(theme.scale, keysOf(SCALE_FIELDS)) }) }, keysOf(THEME_FIELDS)),
    footer: footer?.map(({ name, url }) => ({ name, url })),
    office: office && pick(office, [...OFFICE_COLORS, ...OFFICE_FONTS]),
    folders: folders?.map(folder => pick(folder, ['path', ...keysOf(FOLDER_FIELDS)])),
    words: words?.map(word => pick(word, ['write', 'not', 'reason', 'page'])),
    lint: lint && lintEntry(lint),
  })
  const entry = pick(ordered, keysOf(APPEARANCE_FIELDS))
  return Object.keys(entry).length === 0 ? undefined : entry
}

function lintEntry({ rules, ...lint }: LintSettings): LintSettings {
  const known = { ...lint, ...(rules && { rules: pick(rules, keysOf(LINT_RULES)) }) }
  return pick(known, ['ignore', 'rules', 'neutrals', 'fonts', 'technicalInks'])
}

function coverEntry({ file, color, focus, fit, text }: Cover): Cover {
  return { ...(file === undefined ? { color } : { file }), ...withoutUndefined({ focus, fit, text }) }
}

function targetEntry(to: Target): Target {
  if (to.page !== undefined) return { page: to.page }
  if (to.file !== undefined) return { file: to.file }
  if (to.folder !== undefined) return { folder: to.folder }
  if (to.words) return { words: true }
  return { list: to.list, ...withoutUndefined({ id: to.id, group: to.group }) }
}

const METADATA = ['family', 'subFamily', 'weight', 'style', 'width', 'height', 'description']

function metadataEntry(metadata: NonNullable<BrandFile['metadata']>): NonNullable<BrandFile['metadata']> {
  const fields = Object.entries(metadata).filter(([, value]) => value !== undefined)
  return Object.fromEntries(fields.sort(([a], [b]) => METADATA.indexOf(a) - METADATA.indexOf(b)))
}
