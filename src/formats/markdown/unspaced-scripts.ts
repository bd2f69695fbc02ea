/** Letters and signs of Chinese and Japanese, which are written without spaces; Korean has spaces. */
const UNSPACED = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\u3000-\\u303f\\uff01-\\uff9f]'

/** Removes the line breaks within Chinese or Japanese text (CSS Text 4 §4.1.3). NULs count for nothing. */
export function joinLines(text: string): string {
  return text.replace(BREAK, '')
}

/** A line that ends with two spaces breaks on pages. */
const BREAK = new RegExp(`(?<=${UNSPACED}\\0*)[ \\t]?\\r?\\n[ \\t]*(?=\\0*${UNSPACED})`, 'gu')

/** Chinese and Japanese punctuation, which no address in running text contains. */
export const EAST_ASIAN_MARK =
  /[\u201c\u201d\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/
