/** A fenced block: the words after the opening fence, the text, and the number of its first line. */
export type Block = { language: string; title: string; text: string; line: number }

/** Commands of a document, and the block with their output, if it has one. */
export type Step = { commands: Command[]; shown: Block | undefined }

/** One command line, its continuations joined, and its expected exit code: `# exits with 1`, else 0. */
export type Command = { text: string; line: number; exit: number }

/** The fenced blocks of a Markdown document, in order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)(?:[ ](\S+))?\n([\s\S]*?)^```$/gm)].map(found => {
    const [, language = '', title = '', text = ''] = found
    return { language, title, text, line: markdown.slice(0, found.index).split('\n').length + 1 }
  })
}

/** Every `sh` block of a document, with the first `text` or `json` block between it and the next. */
export function stepsOf(markdown: string): Step[] {
  const blocks = blocksOf(markdown).filter(
    ({ language, title }) => title === '' && ['sh', 'text', 'json'].includes(language),
  )
  return blocks.flatMap((block, at) => {
    if (block.language !== 'sh') return []
    const next = blocks[at + 1]
    return [{ commands: commandsOf(block), shown: next?.language === 'sh' ? undefined : next }]
  })
}

/** Whether an output matches a block: equal for `text`, of the same shape for `json`. */
export function shows({ language, text }: Pick<Block, 'language' | 'text'>, output: string): boolean {
  if (language === 'text') return isSame(text, output)
  const found = shapeOf(JSON.parse(output))
  return [...shapeOf(JSON.parse(text))].every(place => found.has(place))
}

/** The type at each path of a JSON value: `.pages[].id string`. */
function shapeOf(value: unknown, path = ''): Set<string> {
  if (Array.isArray(value)) return new Set([`${path} array`, ...value.flatMap(item => [...shapeOf(item, `${path}[]`)])])
  if (typeof value !== 'object' || value === null) return new Set([`${path} ${value === null ? null : typeof value}`])
  return new Set(Object.entries(value).flatMap(([key, each]) => [...shapeOf(each, `${path}.${key}`)]))
}

/**
 * Whether an output equals the text in a document. `…` matches anything; times, hashes, file keys and ports match any
 * other; and if the document shows JSON, white space is ignored.
 */
function isSame(shown: string, output: string): boolean {
  const isJson = /^\s*[[{]/.test(shown)
  const plain = (text: string) => {
    const steady = text
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
      .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
      .replace(/\(snapshot [0-9a-f]{12}\)/g, '(snapshot <hash>)')
      .replace(/\/-\/files\/[\w-]{32}\//g, '/-/files/<key>/')
      .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:4080')
    return isJson ? steady.replace(/\s/g, '') : steady.trim()
  }
  const pattern = plain(shown).split('…').map(RegExp.escape).join('[^]*?')
  return new RegExp(`^${pattern}$`).test(plain(output))
}

function commandsOf({ text, line }: Block): Command[] {
  const commands: Command[] = []
  let start = line
  for (const whole of text.split(/(?<!\\)\n/)) {
    const command = whole.replace(/\\\n\s*/g, '').trim()
    const exit = Number(/# exits with (\d+)$/.exec(command)?.[1] ?? 0)
    if (command !== '' && !command.startsWith('#')) commands.push({ text: command, line: start, exit })
    start += whole.split('\n').length
  }
  return commands
}
