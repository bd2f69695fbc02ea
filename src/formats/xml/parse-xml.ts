import { SaxesParser } from 'saxes'

/**
 * An element: its name, also without its prefix, how deep it is (the root is 1), its decoded attributes, and the offset
 * of its start tag.
 */
export type XmlElement = {
  name: string
  local: string
  depth: number
  attributes: ReadonlyMap<string, string>
  start: number
}

/** A decoded text between two pieces of markup, the element that it is in, and its offsets. */
export type XmlText = { value: string; element: XmlElement; start: number; end: number }

/** A reason why XML is not well-formed, its line (the first is 1), and its offset. */
type XmlProblem = { message: string; line: number; start: number }

/**
 * Listens to the parts of XML while they are read. `doctype` may return the values of entities by name. `attribute`
 * comes before its element; its `end` is the offset of the last quote, other ends are offsets after a tag.
 */
export type XmlListener = {
  doctype?: (text: string) => object | undefined
  instruction?: (instruction: { target: string; body: string }) => void
  attribute?: (name: string, value: string, end: number) => void
  open?: (element: XmlElement, end: number) => void
  text?: (text: XmlText) => void
  cdata?: (text: XmlText) => void
  close?: (element: XmlElement, end: number) => void
  problem?: (problem: XmlProblem) => void
}

/** `ignoredAfterDoctype`: the problems that a DOCTYPE may solve, because its entities are not read. */
export type XmlOptions = { hasNamespaces?: boolean; ignoredAfterDoctype?: RegExp }

/**
 * Opens a reader of XML, which may be written piece by piece. It continues after a problem, and expands only entities
 * that `doctype` returns. Limits are the listener's: an error that it throws ends the reading. `close` ends the text: an
 * element that is still open is a problem.
 *
 * @throws {Error} at the first problem if `listener` has no `problem`
 */
export function openXml(listener: XmlListener, options: XmlOptions = {}): Pick<SaxesParser, 'write' | 'close'> {
  return new XmlReader({ ...SILENT, ...listener }, options)
}

type Listener = Required<Omit<XmlListener, 'problem'>> & { problem: XmlListener['problem'] | undefined }

const ignore = () => undefined
const SILENT: Listener = {
  doctype: ignore,
  instruction: ignore,
  attribute: ignore,
  open: ignore,
  text: ignore,
  cdata: ignore,
  close: ignore,
  problem: undefined,
}

/** A pattern that no message matches. */
const NONE = /(?!)/

/** With its state in fields, V8 has room for all handlers of the parser and reads four times faster than without. */
class XmlReader extends SaxesParser<{ xmlns: boolean; position: false }> {
  readonly #listen: Listener
  readonly #path: XmlElement[] = []
  #attributes = new Map<string, string>()
  /** The offset after the last part. */
  #past = 0
  /** The problems that are ignored: none before a DOCTYPE. */
  #ignored = NONE

  constructor(listener: Listener, { hasNamespaces = false, ignoredAfterDoctype = NONE }: XmlOptions) {
    super({ xmlns: hasNamespaces, position: false })
    this.#listen = listener
    this.on('xmldecl', () => this.#pass())
    this.on('doctype', text => {
      this.#pass()
      this.#ignored = ignoredAfterDoctype
      Object.assign(this.ENTITIES, listener.doctype(text))
    })
    this.on('processinginstruction', instruction => {
      this.#pass()
      listener.instruction(instruction)
    })
    // The parser reports a comment before its last `>`, and text after the `<` that ends it.
    this.on('comment', () => this.#pass('>'.length))
    this.on('attribute', ({ name, value }) => {
      this.#attributes.set(name, value)
      listener.attribute(name, value, this.position - 1)
    })
    this.on('opentag', ({ name }) => this.#open(name))
    this.on('closetag', () => this.#close())
    this.on('text', value => this.#addText(listener.text, value, '', '', -'<'.length))
    this.on('cdata', value => this.#addText(listener.cdata, value, '<![CDATA[', ']]>'))
    const { problem } = listener
    if (problem) this.on('error', ({ message }) => this.#fail(message, problem))
  }

  /**
   * Notes that a part ends at the position of the parser, or at an offset from it, and returns where the part began.
   */
  #pass(offset = 0): number {
    const start = this.#past
    this.#past = this.position + offset
    return start
  }

  #open(name: string): void {
    const local = name.slice(name.indexOf(':') + 1)
    const depth = this.#path.length + 1
    const element = { name, local, depth, attributes: this.#attributes, start: this.#pass() }
    this.#attributes = new Map()
    this.#path.push(element)
    this.#listen.open(element, this.#past)
  }

  #close(): void {
    const element = this.#path.pop()
    this.#pass()
    if (element) this.#listen.close(element, this.#past)
  }

  /** `before` and `after` are the markup around the text in its part. Text outside of the root is left out. */
  #addText(add: (text: XmlText) => void, value: string, before: string, after: string, offset = 0): void {
    const start = this.#pass(offset) + before.length
    const element = this.#path.at(-1)
    if (element) add({ value, element, start, end: this.#past - after.length })
  }

  #fail(message: string, problem: (problem: XmlProblem) => void): void {
    const start = Math.max(0, this.position - 1)
    if (!this.#ignored.test(message)) problem({ message: message.replace(/\.$/, ''), line: this.line, start })
  }
}
