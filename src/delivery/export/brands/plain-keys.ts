import { slug } from '#brand/ids.ts'
import { firstFree, latinName } from '#brand/styles/tailwind-names.ts'

/** Maps names to different keys of `a-z 0-9 -`; such a name stays. `prefix` precedes a key with a digit first. */
export function plainKeys(names: readonly string[], prefix = ''): ReadonlyMap<string, string> {
  const used = new Set(names)
  const keyOf = (name: string) => {
    const key = latinName(slug(name)).replace(/^(?=\d)/, prefix) || 'x'
    return key === name ? key : firstFree(key, used)
  }
  return new Map(names.map(name => [name, keyOf(name)]))
}
