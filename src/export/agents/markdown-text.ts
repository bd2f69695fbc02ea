/** A one-line string as literal Markdown: nothing in it is markup or starts a block. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>~&|]/g, mark => `\\${mark}`)
    .replace(/^[-+=#:]/, mark => `\\${mark}`)
    .replace(/^(\d+)([.)])/, '$1\\$2')
}

/** A string on one line, without characters that would reorder the rest of it (Unicode TR9 §2). */
export function oneLine(text: string): string {
  if (IS_ONE_LINE.test(text)) return text
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}

/** Matches most strings: ASCII words with single spaces. */
const IS_ONE_LINE = /^[!-~]+(?: [!-~]+)*$/
