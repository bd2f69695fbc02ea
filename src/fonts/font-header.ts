/**
 * Whether bytes begin with a font header (ttf, otf, ttc, woff, woff2). The signature is not enough, since other files
 * may share it. Needs the first 28 bytes.
 */
export function hasFontHeader(bytes: Uint8Array): boolean {
  const header = Buffer.from(bytes.subarray(0, 28))
  const [signature, flavor] = [header.toString('latin1', 0, 4), header.toString('latin1', 4, 8)]
  if (signature === 'ttcf') return COLLECTION_VERSIONS.has(flavor)
  if (signature === 'wOFF' || signature === 'wOF2') return FLAVORS.has(flavor)
  if (!SFNT_SIGNATURES.has(signature) || header.length < 28) return false
  const tables = header.readUInt16BE(4)
  return tables > 0 && tables <= MAX_TABLES && /^[ -~]{4}$/.test(header.toString('latin1', 12, 16))
}

/** The signatures of a font in TTF or OTF (OpenType, Table Directory; `true` is Apple's). */
export const SFNT_SIGNATURES: ReadonlySet<string> = new Set(['\0\x01\0\0', 'OTTO', 'true'])
/** The format inside a WOFF file; `ttcf` is a collection. */
const FLAVORS: ReadonlySet<string> = new Set([...SFNT_SIGNATURES, 'ttcf'])
const COLLECTION_VERSIONS: ReadonlySet<string> = new Set(['\0\x01\0\0', '\0\x02\0\0'])
/** Real fonts have about twenty. */
const MAX_TABLES = 4095
