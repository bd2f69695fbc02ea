/** What stands before each entry of a tar archive, and what sizes are rounded up to. */
export const TAR_BLOCK = 512

/** An entry of an archive: a plain file. */
export type TarEntry = { name: string; size: number; modified: Date }

/**
 * The header of a plain file that its owner alone may read (POSIX.1-1988 ustar). A size of 8 GiB and more is written in
 * base 256, as GNU tar, bsdtar and Python read it. The name is ASCII, at most 100 characters after its last `/`, and 155
 * before that.
 */
export function tarHeader({ name, size, modified }: TarEntry): Uint8Array {
  const header = Buffer.alloc(TAR_BLOCK)
  const slash = name.lastIndexOf('/')
  header.write(name.slice(slash + 1), 0, 100, 'latin1')
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  if (size < LARGE) header.write(octal(size, 11), 124)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  header.write(octal(Math.floor(modified.getTime() / 1000), 11), 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  if (slash !== -1) header.write(name.slice(0, slash), 345, 155, 'latin1')
  header.write(`${octal(sumOf(header), 6)}\0 `, 148, 'latin1')
  return header
}

const LARGE = 8 ** 11

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

/** Name and size of the plain file that a header begins; undefined if it begins something else, or a field is not a number. */
export function parseTarHeader(block: Uint8Array): Pick<TarEntry, 'name' | 'size'> | undefined {
  const header = Buffer.from(block)
  if (header.length !== TAR_BLOCK || textAt(header, 257, 5) !== 'ustar' || textAt(header, 156, 1) !== '0')
    return undefined
  if (octalAt(header, 148, 8) !== sumOf(header)) return undefined
  if ([100, 108, 116].some(at => octalAt(header, at, 8) === undefined) || octalAt(header, 136, 12) === undefined)
    return undefined
  const size = header[124] === 0x80 ? largeAt(header, 124) : octalAt(header, 124, 12)
  if (size === undefined) return undefined
  const [folder, name] = [textAt(header, 345, 155), textAt(header, 0, 100)]
  return { name: folder === '' ? name : `${folder}/${name}`, size }
}

function textAt(header: Buffer, start: number, length: number): string {
  return header.toString('latin1', start, start + length).split('\0')[0] ?? ''
}

/** A number in octal digits, which spaces or NULs end. */
function octalAt(header: Buffer, start: number, length: number): number | undefined {
  const digits = /^([0-7]+)[ \0]+$/.exec(header.toString('latin1', start, start + length))?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

/** A number in base 256, as far as JavaScript counts exactly. */
function largeAt(header: Buffer, start: number): number | undefined {
  if (header.readUIntBE(start + 1, 3) !== 0) return undefined
  const value = header.readBigUInt64BE(start + 4)
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined
}

/** The sum of the bytes of a header, those of the sum itself taken as spaces. */
function sumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

/** How many bytes fill up the last block of an entry. */
export function tarPadding(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK
}
