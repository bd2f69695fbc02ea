/**
 * Makes an address segment from a name: NFKD, without combining marks, `ß` as `ss`, in lower case, one `-` for each run
 * of other characters than letters and digits, no `-` at the ends, NFC. Empty if the name has no letter or digit.
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
