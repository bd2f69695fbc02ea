/**
 * The browser and the system that a `User-Agent` field names, such as "Firefox, Windows". The rest of the field, which
 * could distinguish people, is not kept. Undefined if it names neither.
 */
export function browserName(userAgent = ''): string | undefined {
  const marked = userAgent.replaceAll(/\b/g, '|') // `Edg/120` becomes `|Edg|/|120|`.
  const firstNamed = (names: readonly Name[]) => names.find(([, ...signs]) => signs.some(sign => marked.includes(sign)))
  const parts = [BROWSERS, SYSTEMS].flatMap(names => firstNamed(names)?.[0] ?? [])
  return parts.length === 0 ? undefined : parts.join(', ')
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
