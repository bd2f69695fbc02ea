import { slug } from '../../brand/slug.ts'
import type { Token } from './token-tree.ts'

/** What a token is called in a guide, and the heading that it stands under. */
export type Naming = { name: string; group?: string }

/**
 * Names colours by their paths: the shortest end of a path that reads alone and that no other colour has (`blue 500`, not
 * `500`; `text primary` beside `border primary`), under the groups above it. What only says that they are colours is
 * left out.
 */
export function nameColors(tokens: readonly Token[]): Naming[] {
  const paths = tokens.map(({ set, path }) => ({ whole: [...set, ...withoutFirst(path, COLORS)], sets: set.length }))
  const starts = paths.map(({ whole }) => readableStart(whole))
  while (lengthenShared(paths, starts)) {} // Each turn makes at least one name longer.
  return paths.map(({ whole, sets }, at) => {
    const group = whole.slice(sets, -1).join(' / ')
    return { name: whole.slice(starts[at]).join(' '), ...(group !== '' && { group }) }
  })
}

/** Names type styles by their whole paths: `heading h1 bold`. */
export function nameTypes(tokens: readonly Token[]): string[] {
  const plain = tokens.map(({ path }) => withoutFirst(path, TYPES).join(' '))
  const counts = Map.groupBy(plain, slug)
  return plain.map((name, at) => {
    const set = tokens[at]?.set ?? []
    return (counts.get(slug(name))?.length ?? 0) > 1 ? [...set, name].join(' ') : name
  })
}

const COLORS = /^colou?rs?$/i
const TYPES = /^(?:typography|typographies|text-?styles?)$/i

function withoutFirst(path: readonly string[], word: RegExp): readonly string[] {
  return path.length > 1 && word.test(path[0] ?? '') ? path.slice(1) : path
}

/** The last part begins a name, unless it says nothing without the one before it: `500`, `default`. */
function readableStart(path: readonly string[]): number {
  let start = Math.max(0, path.length - 1)
  while (start > 0 && SAYS_NOTHING.test(path[start] ?? '')) start -= 1
  return start
}

const SAYS_NOTHING =
  /^(?:\P{L}.*|\p{L}?\d*|default|base|main|root|value|light|lighter|lightest|dark|darker|darkest|mid|medium|hover|active|disabled|focus|pressed)$/iu

/** Takes a further part into the names that several colours have, if they have one more. Whether there were any. */
function lengthenShared(paths: readonly { whole: readonly string[] }[], starts: number[]): boolean {
  const sharing = Map.groupBy(paths.keys(), at => slug(paths[at]?.whole.slice(starts[at]).join(' ') ?? ''))
  let isLonger = false
  for (const places of sharing.values()) {
    if (places.length < 2) continue
    for (const at of places) {
      const start = starts[at] ?? 0
      if (start === 0) continue
      starts[at] = start - 1
      isLonger = true
    }
  }
  return isLonger
}
