/** What a style sheet calls the format of a font (CSS Fonts 4 §4.3.1); undefined for those that it has no word for. */
export function fontFormat(contentType: string): string | undefined {
  return FORMATS.get(contentType)
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['font/collection', 'collection'],
  ['font/otf', 'opentype'],
  ['font/ttf', 'truetype'],
  ['font/woff', 'woff'],
  ['font/woff2', 'woff2'],
])
