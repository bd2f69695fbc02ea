/**
 * The part of an address that a name gives: NFKD, combining marks dropped, `ß` as `ss`, lower case, every run of
 * anything but letters and digits as one `-`, trimmed of `-`, NFC. Empty if the name has no letter or digit.
 */
export function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßẞ]/g, 'ss')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{Nd}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .normalize('NFC')
}
