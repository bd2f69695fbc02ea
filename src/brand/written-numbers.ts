import { quote } from '#platform/base/text.ts'

/** Numbers as people write them: one string, or a list of strings. */
export type WrittenNumbers = string | readonly string[]

export type Channels = 'cmyk' | 'rgb'

/**
 * The channels of a colour as a list of strings: `84,39,0,28`, `84/39/0/28`, `C84 M39 Y0 K28`, `cmyk(84%, 39%, 0%, 28%)`
 * and a list give the same. In per cent, red, green and blue are shares of 255.
 */
export function splitChannels(numbers: WrittenNumbers, channels: Channels): readonly string[] {
  if (typeof numbers !== 'string') return numbers.map(part => part.replace(FORMS[channels].ending, '').trim())
  const text = numbers.trim().replaceAll('\t', ' ')
  const shares = channels === 'rgb' ? SHARES.exec(text)?.slice(1) : undefined
  if (shares) return shares.map(share => `${Math.round(Number.parseFloat(share) * 2.55)}`)
  const parts = PATTERNS[channels].exec(text)?.slice(1)
  return parts ?? (text === '' ? [] : text.split(/\p{Zs}*[,;/|]\p{Zs}*|\p{Zs}+/u))
}

/** The pattern of the channels in one string; `number` is the pattern of each, and inks may have a percent sign. */
export function channelsPattern(channels: Channels, number: string): string {
  const { name, sign } = FORMS[channels]
  const items = [...channels].map(letter => {
    const label = `[${letter}${letter.toUpperCase()}]`
    return `(?:${label}${GAP}[:=]?${GAP})?${number}${sign}(?:${GAP}${label})?`
  })
  return `(?:${name}${GAP}[:=]?${GAP})?\\(?${GAP}${items.join(SEPARATOR)}${GAP}\\)?`
}

/** White space, all of it, so that a long run takes no quadratic time. */
const GAP = '\\p{Zs}*(?!\\p{Zs})'
/** The pattern of the name of each, the sign after a number in one string, and what is left out of one in a list. */
const FORMS = {
  cmyk: { name: '(?:[Dd]evice-)?(?:[Cc]myk|CMYK)', sign: `(?:${GAP}%)?`, ending: /(?<=[\d.])\s*%\s*$/ },
  rgb: { name: '(?:[Rr]gb|RGB)', sign: '', ending: '' },
} as const
/** Between two channels: `, `, `/`, a space, or the letter of the next channel. */
const SEPARATOR = `(?:${GAP}[,;/|]${GAP}|\\p{Zs}+(?!\\p{Zs})|(?=[A-Za-z]))`
/** The pattern of a share of 255 in per cent. */
export const SHARE = `(?:100|\\d{1,2}(?:\\.\\d+)?)${GAP}%`
/** `rgb(100%, 50%, 0%)` */
const SHARES = new RegExp(`^${channelsPattern('rgb', `(${SHARE})`)}$`, 'u')
const PATTERNS = {
  cmyk: new RegExp(`^${channelsPattern('cmyk', '([+]?[\\d.]+)')}$`, 'u'),
  rgb: new RegExp(`^${channelsPattern('rgb', '(\\d+)')}$`, 'u'),
}

/** Whether a string is a plain decimal number of at most 100 characters: `16`, `-0.02`, `.5`. */
export function isDecimal(text: string): boolean {
  return text.length <= 100 && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)
}

/** Removes the sign and needless zeros of a decimal number: `84.50` becomes `84.5`, `.5` becomes `0.5`. */
export function shortestDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const digits = fraction.replace(/(?<!0)0+$/, '')
  return (whole.replace(/^0+/, '') || '0') + (digits === '' ? '' : `.${digits}`)
}

/** The count of numbers, as part of a message: `has three numbers`. */
export function hasNumbers(count: number): string {
  const word = ['no', 'one', 'two', 'three', 'four', 'five', 'six'][count] ?? String(count)
  return `has ${word} ${count === 1 ? 'number' : 'numbers'}`
}

/** Numbers, quoted for a message. */
export function quoteNumbers(numbers: WrittenNumbers): string {
  return quote(typeof numbers === 'string' ? numbers : numbers.join(','))
}
