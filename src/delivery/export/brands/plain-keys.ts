import { slug } from '#brand/ids.ts'
import { firstFree, latinName } from '#brand/styles/tailwind-names.ts'

/**
 * Maps names to different keys of `a-z 0-9 -`. A name that has only these stays unchanged. `prefix` comes before a key that
 * would begin with a digit.
 */
export function plainKeys(names: readonly string[], prefix = ''): ReadonlyMap<string, string> {
  const used = new Set(names)
  const keyOf = (name: string) => {
    const key = latinName(slug(name)).replace(/^(?=\d)/, prefix) || 'x'
    return key === name ? key : firstFree(key, used)
  }
  return new Map(names.map(name => [name, keyOf(name)]))
}
