/**
 * Makes a part of an address from a name: NFKD, without combining marks, `ß` as `ss`, in lower case, with one `-` for
 * every run of anything but letters and digits, without `-` at the ends, NFC. Empty if the name has no letter or digit.
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
