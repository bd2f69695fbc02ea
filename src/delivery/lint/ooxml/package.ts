import { dirname, join } from 'node:path/posix'
import { readTrees, type XmlTree } from '#formats/xml/trees.ts'
import { openZip, type PackedPart } from '#formats/zip/zip.ts'
import { errorMessage } from '#platform/base/error.ts'
import { fileHashes } from '../markup/svg-drawing.ts'

/**
 * The parts that a part refers to, by the id of the relation (`rId1`). `type` is the last segment of the address that names
 * the relation's type, such as `slideLayout`. Files outside of the package are left out.
 */
export type Relations = ReadonlyMap<string, { type: string; part: string }>

/** The names of the related parts of certain types, in their order. */
export function partsOf(relations: Relations, ...types: readonly string[]): string[] {
  return [...relations.values()].filter(({ type }) => types.includes(type)).map(({ part }) => part)
}

/** Opens a package; a problem also says what to do. */
export async function openPackage(bytes: Uint8Array): Promise<OfficePackage | { problem: string }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (buffer.toString('hex', 0, 8) === COMPOUND_FILE) return { problem: PROTECTED }
  try {
    const zip = await openZip(bytes)
    if (zip.count > MAX_ENTRIES) return { problem: `has more than ${MAX_ENTRIES} parts: divide it` }
    const entries = new Map<string, PackedPart>()
    for await (const part of zip.parts()) entries.set(part.name.toLowerCase(), part)
    return packageOf(entries)
  } catch (error) {
    const reason = errorMessage(error)
    return { problem: `is damaged or no Office file (${reason}): open it in its program and save it again` }
  }
}

/** The first bytes of an OLE compound file (MS-CFB §2.2). */
const COMPOUND_FILE = 'd0cf11e0a1b11ae1'
const PROTECTED =
  'is protected with a password, or is in the old format (.ppt, .doc): save it as .pptx or .docx without a password'
/** A deck of 10,000 slides has more than 20,000 parts. */
const MAX_ENTRIES = 50_000
/** Bytes of one unpacked part, and of all parts that are read. */
const MAX_PART = 64 << 20
const MAX_ALL = 256 << 20
const MAX_PROBLEMS = 100
/** The local name of the first element: `presentation` in `<p:presentation …`. */
const ROOT_NAME = /<(?:[\w.-]+:)?([a-z]\w*)[\s/>]/i

export type OfficePackage = ReturnType<typeof packageOf>

/** The parts of an Office file by name, such as `ppt/slides/slide1.xml` (ISO 29500-2). */
function packageOf(entries: ReadonlyMap<string, PackedPart>) {
  const budget = { left: MAX_ALL }
  const hashes = new Map<string, ReturnType<typeof fileHashes> | undefined>()
  /** The problems up to now, which callers take out; a file with too many is read no further. */
  const problems: string[] = []
  const failed = new Set<string>()
  /** Yields what a reader makes of a part. A part that cannot be read ends early, and leaves a problem. */
  function* read<Item>(part: string, reader: (bytes: Buffer) => Iterable<Item>): Generator<Item> {
    try {
      yield* reader(unpack(entries.get(part.toLowerCase()), budget))
    } catch (error) {
      if (!failed.has(part) && failed.size < MAX_PROBLEMS) problems.push(`${part} ${errorMessage(error)}`)
      failed.add(part)
    }
  }
  /** Yields elements of an XML part. */
  const trees = (part: string | undefined, ...wanted: string[]): Iterable<XmlTree> =>
    part ? read(part, bytes => readTrees(bytes, wanted)) : []
  /** The local name of the outermost element of a part, such as `presentation`. */
  const rootOf = (part: string): string | undefined =>
    [...read(part, bytes => ROOT_NAME.exec(bytes.toString('utf8', 0, 10_000))?.slice(1) ?? [])][0]
  /** The relationships of a part to other parts, by id; `''` is the package itself. */
  const relations = (source: string): Relations => {
    // `ppt/slides/_rels/slide1.xml.rels` for `ppt/slides/slide1.xml`.
    const name = source.replace(/[^/]*$/, '_rels/$&.rels')
    const byId = new Map<string, { type: string; part: string }>()
    for (const { node } of trees(entries.has(name.toLowerCase()) ? name : undefined, 'Relationship')) {
      const { Id = '', Type = '', Target = '', TargetMode } = node.attributes
      const part = TargetMode === 'External' ? undefined : partName(Target, source)
      if (part && byId.size < MAX_ENTRIES) byId.set(Id, { type: Type.replace(/^.*\//s, ''), part })
    }
    return byId
  }
  /** The hashes of a picture, which many slides may show; undefined if it cannot be read. */
  const media = (part: string) => {
    const hashesOf = (bytes: Buffer) => [fileHashes(bytes, /\.svg$/i.test(part))]
    if (!hashes.has(part)) hashes.set(part, [...read(part, hashesOf)][0])
    return hashes.get(part)
  }
  return { trees, rootOf, relations, media, problems, isSpent: () => budget.left <= 0 || failed.size >= MAX_PROBLEMS }
}

/**
 * Unpacks a part, and takes its bytes from the budget. A part that is larger than the limits costs as much as they allow,
 * since that much was unpacked in vain. Throws the rest of a sentence about the part.
 */
function unpack(part: PackedPart | undefined, budget: { left: number }): Buffer {
  if (!part) throw new Error('is missing: open the file in its program and save it again')
  if (part.obstacle === 'encrypted') throw new Error('is protected with a password: save the file without one')
  const limit = Math.max(1, Math.min(MAX_PART, budget.left))
  budget.left -= limit
  const bytes = part.unpack(limit)
  if (!bytes) throw new Error('is too large to read: divide the file or make it smaller')
  budget.left += limit - bytes.length
  return bytes
}

/** The part that an address names, seen from another part; undefined if it is outside of the package. */
function partName(target: string, source: string): string | undefined {
  const name = target.startsWith('/') ? join('.', target) : join(dirname(source), target)
  return name.startsWith('../') ? undefined : name
}
