/**
 * Whether output to a stream may have colours, by the rules of Node's `getColorDepth`: `FORCE_COLOR` decides, with 0 for
 * none; otherwise a terminal has colours unless `NO_COLOR` is not empty or `TERM` is `dumb`.
 */
export function hasColors(isTerminal: boolean, environment: Readonly<Partial<Record<string, string>>>): boolean {
  const { FORCE_COLOR, NO_COLOR = '', TERM } = environment
  if (FORCE_COLOR !== undefined) return ['', '1', 'true', '2', '3'].includes(FORCE_COLOR)
  return isTerminal && NO_COLOR === '' && TERM !== 'dumb'
}
