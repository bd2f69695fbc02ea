import { slug } from '../../brand/ids.ts'

/**
 * Maps different names to different keys of `a-z 0-9 -`. A name that is such a key keeps it. `prefix` precedes a key that
 * begins with a digit.
 */
export function plainKeys(names: readonly string[], prefix = ''): ReadonlyMap<string, string> {
  const [keys, used, counts] = [new Map<string, string>(), new Set(names), new Map<string, number>()]
  for (const name of names) {
    const plain =
      slug(name)
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'x'
    const first = /^\d/.test(plain) ? prefix + plain : plain
    let key = first
    for (let at = counts.get(first) ?? 2; key !== name && used.has(key); at++) {
      key = `${first}-${at}`
      counts.set(first, at)
    }
    keys.set(name, key)
    used.add(key)
  }
  return keys
}
