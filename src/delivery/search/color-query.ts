/** Whether a query may have a colour in a notation of CSS other than six hex digits. */
export function hasCssColor(query: string): boolean {
  return query.search(CSS_COLOR) >= 0
}

/**
 * Replaces each CSS colour in a query by the hex of the same colour of a guide, since an index has only that. Notations
 * with rounded numbers, such as `hsl(198, 82%, 17%)`, mean the nearest colour. Others remain, as pages may have them.
 *
 * @param readHex reads a CSS colour; a copy of a guide leaves that to the browser
 */
export function withHexColors(
  query: string,
  readHex: (css: string) => string | undefined,
  hexes: readonly string[],
): string {
  return query.replace(CSS_COLOR, css => {
    const hex = readHex(css.replace(ALPHA, ''))
    return (hex !== undefined && nearestOf(hex, hexes)) || css
  })
}

/**
 * `rgb(1 2 3)`, `hsl(calc(1) 2% 3%)`, `#12345678` or `#1234`. An index has colours with three and six digits as they are, so
 * they need no reading.
 */
const CSS_COLOR =
  /(?<![\w-])(?:(?:rgb|hsl)a?|hwb|(?:ok)?l(?:ab|ch)|color(?:-mix)?)\((?:[^()]|\([^()]*\))*\)|#(?:[\da-f]{8}|[\da-f]{4})\b/gi
/** The opacity at the end: ` / 50%` in `rgb(1 2 3 / 50%)`. */
const ALPHA = /(?<!\s)\s*\/[^/()]*(?=\)$)/

/** The hex whose channels differ least, if they differ by no more than rounding; undefined if there is none. */
function nearestOf(hex: string, hexes: readonly string[]): string | undefined {
  const [near] = hexes
    .map(other => ({
      other,
      difference: Math.max(...[1, 3, 5].map(at => Math.abs(channel(hex, at) - channel(other, at)))),
    }))
    .filter(({ difference }) => difference <= ROUNDED)
    .sort((one, other) => one.difference - other.difference)
  return near?.other
}

function channel(hex: string, at: number): number {
  return Number.parseInt(hex.slice(at, at + 2), 16)
}

/** The difference in a channel of 255 that rounding makes: 4 in `hsl()` with whole numbers, more in `oklch()`. */
const ROUNDED = 8
