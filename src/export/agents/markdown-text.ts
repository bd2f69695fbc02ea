/** A text on one line, as Markdown that shows it as it is: nothing in it is markup, or begins a block. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>~&|]/g, mark => `\\${mark}`)
    .replace(/^[-+=#:]/, mark => `\\${mark}`)
    .replace(/^(\d+)([.)])/, '$1\\$2')
}

/** A text on one line, without marks that would show the rest of it in another order (Unicode TR9 §2). */
export function oneLine(text: string): string {
  if (IS_ONE_LINE.test(text)) return text
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}

/** Most texts are words of ASCII with a space between each two. */
const IS_ONE_LINE = /^[!-~]+(?: [!-~]+)*$/
