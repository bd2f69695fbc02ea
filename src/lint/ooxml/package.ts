import { createHash } from 'node:crypto'
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { drawingHash } from '../markup/svg-drawing.ts'
import { readTrees, type XmlTree } from './xml.ts'

/** The parts of an Office file by name, such as `ppt/slides/slide1.xml` (ISO 29500-2). */
export type OfficePackage = {
  /** Yields elements of an XML part. A part that cannot be read ends early, and leaves a problem. */
  trees: (part: string | undefined, ...wanted: readonly string[]) => AsyncGenerator<XmlTree>
  /** The relationships of a part to other parts, by id; `''` is the package itself. */
  relations: (part: string) => Promise<Relations>
  media: (part: string) => Promise<Media | undefined>
  /** The problems up to now. Callers take them out; a file with a hundred is read no further. */
  problems: string[]
  /** Whether the file is too large, or has too many problems, to go on. */
  isSpent: () => boolean
}

/** `type` is the last segment of the address that names it, such as `slideLayout`. External ones are left out. */
export type Relations = ReadonlyMap<string, { type: string; part: string }>

/** SHA-256 in hexadecimal digits of a file's bytes, and the hash of an SVG's drawing. */
type Media = { hash: string; drawing?: string }

export function partOfType(relations: Relations, type: string): string | undefined {
  return [...relations.values()].find(each => each.type === type)?.part
}

/** Opens a package; a problem also says what to do. */
export async function openPackage(bytes: Uint8Array): Promise<OfficePackage | { problem: string }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (buffer.toString('hex', 0, 8) === COMPOUND_FILE) return { problem: PROTECTED }
  try {
    const zip = await fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false })
    if (zip.entryCount > MAX_ENTRIES) return { problem: `has more than ${MAX_ENTRIES} parts: divide it` }
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
      entries.set(name.toLowerCase(), entry)
    }
    return packageOf(zip, entries)
  } catch (error) {
    return { problem: `is damaged or no Office file (${textOf(error)}): open it in its program and save it again` }
  }
}

/** The first bytes of an OLE compound file (MS-CFB §2.2). */
const COMPOUND_FILE = 'd0cf11e0a1b11ae1'
const PROTECTED =
  'is protected with a password, or is in the old format (.ppt, .doc): save it as .pptx or .docx without a password'
/** A deck of 10,000 slides has more than 20,000 parts. */
const MAX_ENTRIES = 50_000
const MAX_PART = 64 << 20
const MAX_ALL = 256 << 20
const MAX_DRAWING = 4 << 20
const MAX_PROBLEMS = 100

function packageOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): OfficePackage {
  const [xmlBudget, mediaBudget] = [{ left: MAX_ALL }, { left: MAX_ALL }]
  const hashes = new Map<string, Promise<Media | undefined>>()
  const problems: string[] = []
  let problemCount = 0
  const report = (part: string, error: unknown) => {
    const problem = `${part} ${textOf(error)}`
    if (problems.includes(problem) || problemCount >= MAX_PROBLEMS) return
    problems.push(problem)
    problemCount += 1
  }
  const trees = async function* (part = '', ...wanted: readonly string[]) {
    try {
      if (part) yield* readTrees(unpack(zip, entries.get(part.toLowerCase()), MAX_PART, xmlBudget), wanted)
    } catch (error) {
      report(part, error)
    }
  }
  const media = (part: string) => {
    const bytes = unpack(zip, entries.get(part.toLowerCase()), MAX_ALL, mediaBudget)
    const hash = hashes.get(part) ?? hashOf(bytes, /\.svg$/i.test(part)).catch(error => void report(part, error))
    hashes.set(part, hash)
    return hash
  }
  const relations = async (part: string) => {
    const rels = part.replace(/[^/]*$/, '_rels/$&.rels')
    return entries.has(rels.toLowerCase()) ? readRelations(trees(rels, 'Relationship'), part) : new Map()
  }
  const isSpent = () => xmlBudget.left < 0 || problemCount >= MAX_PROBLEMS
  return { trees, relations, media, problems, isSpent }
}

/** Unpacks a part up to limits of its real bytes. */
async function* unpack(zip: ZipFile, entry: Entry | undefined, limit: number, all: { left: number }) {
  if (!entry) throw new Error('is missing: open the file in its program and save it again')
  if (entry.isEncrypted()) throw new Error('is protected with a password: save the file without one')
  let length = 0
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    if (!(chunk instanceof Uint8Array)) continue
    length += chunk.length
    all.left -= chunk.length
    if (length > limit || all.left < 0) throw new Error('is too large to read: divide the file or make it smaller')
    yield chunk
  }
}

async function hashOf(chunks: AsyncIterable<Uint8Array>, isSvg: boolean): Promise<Media> {
  const hash = createHash('sha256')
  const kept: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    length += chunk.length
    if (isSvg && length <= MAX_DRAWING) kept.push(chunk)
  }
  const isDrawing = isSvg && length <= MAX_DRAWING
  const drawing = isDrawing ? drawingHash(Buffer.concat(kept).toString()) : undefined
  return { hash: hash.digest('hex'), ...(drawing !== undefined && { drawing }) }
}

async function readRelations(trees: AsyncIterable<XmlTree>, source: string): Promise<Relations> {
  const relations = new Map<string, { type: string; part: string }>()
  for await (const { node } of trees) {
    const { Id = '', Type = '', Target = '', TargetMode } = node.attributes
    const part = TargetMode === 'External' ? undefined : partName(Target, source)
    if (part && relations.size < MAX_ENTRIES) relations.set(Id, { type: Type.replace(/^.*\//s, ''), part })
  }
  return relations
}

/** The part that an address names, seen from another part; undefined if it is outside of the package. */
function partName(target: string, source: string): string | undefined {
  const names: string[] = []
  for (const name of (target.startsWith('/') ? target : source.replace(/[^/]*$/, () => target)).split('/')) {
    if (name === '..' && names.pop() === undefined) return undefined
    if (name !== '' && name !== '.' && name !== '..') names.push(name)
  }
  return names.join('/')
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'cannot be read'
}
