/** The size of a header, which precedes each entry. The size of an entry is padded to a multiple of it. */
export const TAR_BLOCK = 512

/** An entry of an archive: a regular file. */
export type TarEntry = { name: string; size: number; modified: Date }

/**
 * The header of a regular file that only its owner may read (POSIX.1-1988 ustar). A size of 8 GiB or more is written in
 * base 256, which GNU tar, bsdtar and Python read. The name is ASCII, with at most 100 characters after its last `/` and
 * 155 before it.
 */
export function tarHeader({ name, size, modified }: TarEntry): Uint8Array {
  const header = Buffer.alloc(TAR_BLOCK)
  const slash = name.lastIndexOf('/')
  header.write(name.slice(slash + 1), 0, 100, 'latin1')
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  if (size < MIN_BASE_256) header.write(octal(size, 11), 124)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  header.write(octal(Math.floor(modified.getTime() / 1000), 11), 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  if (slash !== -1) header.write(name.slice(0, slash), 345, 155, 'latin1')
  header.write(`${octal(checksumOf(header), 6)}\0 `, 148, 'latin1')
  return header
}

const MIN_BASE_256 = 8 ** 11

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

/** The name and size of a regular file from its header; undefined if it is another type, or a field is malformed. */
export function parseTarHeader(block: Uint8Array): Pick<TarEntry, 'name' | 'size'> | undefined {
  const header = Buffer.from(block)
  if (header.length !== TAR_BLOCK || textAt(header, 257, 5) !== 'ustar' || textAt(header, 156, 1) !== '0')
    return undefined
  if (octalAt(header, 148, 8) !== checksumOf(header)) return undefined
  if ([100, 108, 116].some(at => octalAt(header, at, 8) === undefined) || octalAt(header, 136, 12) === undefined)
    return undefined
  const size = header[124] === 0x80 ? base256At(header, 124) : octalAt(header, 124, 12)
  if (size === undefined) return undefined
  const [folder, name] = [textAt(header, 345, 155), textAt(header, 0, 100)]
  return { name: folder === '' ? name : `${folder}/${name}`, size }
}

function textAt(header: Buffer, start: number, length: number): string {
  return header.toString('latin1', start, start + length).split('\0')[0] ?? ''
}

/** A number in octal digits, which end with a space or NUL. */
function octalAt(header: Buffer, start: number, length: number): number | undefined {
  const digits = /^([0-7]+)[ \0]+$/.exec(header.toString('latin1', start, start + length))?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

/** A number in base 256; undefined if it is larger than JavaScript can represent exactly. */
function base256At(header: Buffer, start: number): number | undefined {
  if (header.readUIntBE(start + 1, 3) !== 0) return undefined
  const value = header.readBigUInt64BE(start + 4)
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined
}

/** The sum of the bytes of a header. The bytes of the checksum itself count as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20
  for (const byte of header.subarray(0, 148)) sum += byte
  for (const byte of header.subarray(156)) sum += byte
  return sum
}

/** The number of bytes that pad the last block of an entry. */
export function tarPadding(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK
}
