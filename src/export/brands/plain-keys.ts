import { slug } from '../../brand/ids.ts'

/**
 * Maps names to different keys of `a-z 0-9 -`. A name that is such a key keeps it; another one that would get the same key
 * has a number at its end. `prefix` precedes each key that would not begin with a letter.
 */
export function plainKeys(
  names: Iterable<string>,
  { taken = [], prefix = '' }: { taken?: readonly string[]; prefix?: string } = {},
): ReadonlyMap<string, string> {
  const all = [...new Set(names)].map(name => ({ name, plain: plainKey(name, prefix) }))
  const keys = new Map(all.filter(({ name, plain }) => name === plain).map(({ name }) => [name, name]))
  const used = new Set([...taken, ...keys.values()])
  const numbers = new Map<string, number>()
  for (const { name, plain } of all) {
    if (keys.has(name) && !taken.includes(name)) continue
    let key = plain
    for (let at = numbers.get(plain) ?? 2; used.has(key); at++) {
      key = `${plain}-${at}`
      numbers.set(plain, at + 1)
    }
    used.add(key)
    keys.set(name, key)
  }
  return keys
}

function plainKey(name: string, prefix: string): string {
  const plain = slug(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return (/^[a-z]/.test(plain) ? '' : prefix) + (plain || 'x')
}
