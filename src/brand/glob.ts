/** The tokens of a glob: `**` covers any folders, `*` and `?` do not cover `/`. Compile a glob once for many paths. */
export function globTokens(glob: string): readonly string[] {
  // `path.matchesGlob` is experimental before Node 24.8.
  return glob.match(/\*\*\/|\*\*|./gs) ?? []
}

/**
 * Whether a glob covers a path, or with `isFolder` a folder above it, in linear time for any number of stars: for each
 * character, `states` has the indexes of all tokens that may come next. `logo*.svg` has the states 4 and 5 after `logo`,
 * because a star may also cover nothing.
 */
export function isCovered(path: string, tokens: readonly string[], { isFolder }: { isFolder: boolean }): boolean {
  // A path begins after a `/`, and its end counts as one.
  const enclosed = `/${path}/`
  let states = new Set([0])
  for (let at = 0; at <= path.length; at++) {
    const before = enclosed[at]
    const character = enclosed[at + 1]
    const next = new Set<number>()
    for (const state of states) {
      const token = tokens[state]
      // All tokens are used up.
      if (token === undefined && character === '/' && (isFolder || at === path.length)) return true
      const isStar = token === '**' || token === '**/' || token === '*'
      // A set that grows is walked to its new end.
      if (isStar && (token !== '**/' || before === '/')) states.add(state + 1)
      if (isStar && (token !== '*' || character !== '/')) next.add(state)
      if (token === character || (token === '?' && character !== '/')) next.add(state + 1)
    }
    states = next
  }
  return false
}
