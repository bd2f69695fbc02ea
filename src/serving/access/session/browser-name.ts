/**
 * The browser and the system that a `User-Agent` field names, such as "Firefox, Windows". The rest of the field, which
 * could distinguish people, is not kept. Undefined if it names neither.
 */
export function browserName(userAgent = ''): string | undefined {
  const marked = userAgent.replaceAll(/\b/g, '|')
  const nameIn = (names: readonly Name[]) => names.find(([, ...signs]) => signs.some(sign => marked.includes(sign)))
  const named = [BROWSERS, SYSTEMS].flatMap(names => nameIn(names)?.[0] ?? [])
  return named.length === 0 ? undefined : named.join(', ')
}

/** A name and its signs, in which `|` is the start or end of a word: `Edg/120.0` contains `|Edg|/`, `HeadlessEdg/1` does not. */
type Name = readonly [name: string, ...signs: string[]]

/** The first that fits: browsers also name those that they resemble. */
const BROWSERS: readonly Name[] = [
  ['Edge', '|Edg|/', '|EdgA|/', '|EdgiOS|/'],
  ['Opera', '|OPR|/'],
  ['Samsung Internet', '|SamsungBrowser|/'],
  ['Firefox', '|Firefox|/', '|FxiOS|/'],
  ['Chrome', 'Chrome|/', '|CriOS|/'],
  ['Safari', '|Safari|/'],
]
const SYSTEMS: readonly Name[] = [
  ['Android', '|Android|'],
  ['iPhone', '|iPhone|', '|iPod|'],
  ['iPad', '|iPad|'],
  ['Windows', '|Windows|'],
  ['macOS', '|Mac| |OS| |X|'],
  ['ChromeOS', '|CrOS|'],
  ['Linux', '|Linux|'],
]
