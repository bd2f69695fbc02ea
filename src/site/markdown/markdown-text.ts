/**
 * Markdown's inline text without its marks, as far as that is cheap: no addresses, tags, emphasis and footnote numbers;
 * the texts of links stay, those of pictures go where `pictures` says so. In linear time, whatever the text.
 */
export function withoutMarks(text: string, pictures: 'kept' | 'left out'): string {
  if (!/[\\`*_~[\]<&|]/.test(text)) return text
  const kept: string[] = []
  const hide = (shown: string): string => {
    kept.push(shown)
    return `\0${kept.length - 1}\0`
  }
  const plain = withoutComments(text)
    .replaceAll('\0', '\uFFFD')
    .replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => hide(mark))
    .replace(/(?<!`)(`{1,9})(?!`)([^`]{1,500})\1(?!`)/g, (_, _ticks, code: string) => hide(code.trim()))
    .replace(/<((?:https?|mailto|tel):[^\s<>]{1,2000})>/gi, (_, address: string) => hide(address))
    .replace(/<\/?[a-z][^<>]{0,1000}>/gi, '')
    .replace(/\[\^[^\s[\]]{1,200}\]/g, '')
    .replace(/!\[([^[\]]{0,1000})\](?:\([^()]{0,2000}\)|\[[^[\]]{0,1000}\])?/g, pictures === 'kept' ? '$1' : '')
    .replace(/\[([^[\]]{0,1000})\](?:\([^()]{0,2000}\)|\[[^[\]]{0,1000}\])/g, '$1')
    .replace(MARKS, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, referenced)
  return plain.replace(/\0(\d+)\0/g, (_, at: string) => kept[Number(at)] ?? '')
}

/**
 * Underscores only at the edge of a word. Each run of them is looked at from its start alone: what may fail only after all
 * of a run must not be tried again from within it.
 */
const MARKS = /\*+|~~|(?<![\p{L}\p{N}_])(?:__+|_(?=\S)|(?<=\S)_)|(?<=[\p{L}\p{N}])_+(?![\p{L}\p{N}_])/gu

/** By hand, since an expression for it looks for the end of a comment again from each beginning of one. */
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

function referenced(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return NAMED.get(name) ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '\uFFFD'
}

/** The references that stand in running text; the others stay as they are written. */
const NAMED: ReadonlyMap<string, string> = new Map([
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
