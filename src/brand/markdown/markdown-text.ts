/**
 * Removes most inline Markdown: addresses, tags, emphasis and footnote numbers. Keeps link text, and the alt text of
 * pictures if `pictures` is `kept`. Takes linear time for any input.
 */
export function plainText(text: string, pictures: 'kept' | 'left out'): string {
  if (!/[\\`*_~[\]<&|]/.test(text)) return text
  const literals: string[] = []
  const placeholder = (literal: string): string => {
    literals.push(literal)
    return `\0${literals.length - 1}\0`
  }
  const plain = withoutComments(text)
    .replaceAll('\0', '\uFFFD')
    .replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => placeholder(mark))
    .replace(/(?<!`)(`{1,9})(?!`)([^`]{1,500})\1(?!`)/g, (_, _ticks, code: string) => placeholder(code.trim()))
    .replace(/<((?:https?|mailto|tel):[^\s<>]{1,2000})>/gi, (_, address: string) => placeholder(address))
    .replace(/<\/?[a-z][^<>]{0,1000}>/gi, '')
    .replace(/\[\^[^\s[\]]{1,200}\]/g, '')
    .replace(/!\[([^[\]]{0,1000})\](?:\([^()]{0,2000}\)|\[[^[\]]{0,1000}\])?/g, pictures === 'kept' ? '$1' : '')
    .replace(/\[([^[\]]{0,1000})\](?:\([^()]{0,2000}\)|\[[^[\]]{0,1000}\])/g, '$1')
    .replace(MARKS, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, decodeEntity)
  return plain.replace(/\0(\d+)\0/g, (_, at: string) => literals[Number(at)] ?? '')
}

/**
 * Marks of emphasis; underscores only at the edge of a word. A run of underscores is matched only from its start:
 * retrying from within a run would take quadratic time.
 */
const MARKS = /\*+|~~|(?<![\p{L}\p{N}_])(?:__+|_(?=\S)|(?<=\S)_)|(?<=[\p{L}\p{N}])_+(?![\p{L}\p{N}_])/gu

/** Written by hand: a regular expression would search for the end again from each start of a comment. */
function withoutComments(text: string): string {
  const kept: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    if (end < 0) break
    kept.push(text.slice(at, start))
    at = end + 3
  }
  return kept.length === 0 ? text : [...kept, text.slice(at)].join('')
}

function decodeEntity(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return ENTITIES.get(name) ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '\uFFFD'
}

/** The entities that occur in prose; others stay unchanged. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00A0'],
  ['copy', '©'],
  ['reg', '®'],
  ['trade', '™'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['times', '×'],
  ['shy', '\u00AD'],
])
