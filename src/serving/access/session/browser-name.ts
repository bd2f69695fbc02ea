/**
 * The browser and the system that a `User-Agent` field names, such as "Firefox, Windows". The rest of the field, which
 * could distinguish people, is not kept. Undefined if it names neither.
 */
export function browserName(userAgent = ''): string | undefined {
  const named = [BROWSERS, SYSTEMS].flatMap(names => names.find(([sign]) => sign.test(userAgent))?.[1] ?? [])
  return named.length === 0 ? undefined : named.join(', ')
}

/** The first that fits: browsers also name those that they resemble. */
const BROWSERS: readonly Name[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly Name[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

type Name = readonly [sign: RegExp, name: string]
