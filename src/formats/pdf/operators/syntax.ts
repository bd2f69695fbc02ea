/** A value (ISO 32000-2 §7.3), or none. A name is a string; a string has its bytes as Latin-1. */
export type PdfValue = Plain | { text: string } | { reference: number } | PdfStream | PdfValue[] | PdfDictionary
type Plain = number | boolean | string | null | undefined
export type PdfDictionary = ReadonlyMap<string, PdfValue>
/** A stream whose data are still encoded. */
export type PdfStream = { dictionary: PdfDictionary; data: Buffer }

/** An operator, a keyword, or the end of a list. */
type PdfOperator = { operator: string }

/** A text in Latin-1, and the offset to read next. */
type Cursor = { text: string; at: number }

/** Reads the next value or operator; undefined at the end. Throws if lists are in each other too deeply. */
function readItem(cursor: Cursor, depth = 0): PdfValue | PdfOperator {
  if (depth > MAX_DEPTH) throw new Error('is damaged: it has too many lists in each other')
  // A comment is a token without groups: the next one is read.
  for (;;) {
    TOKEN.lastIndex = cursor.at
    const match = TOKEN.exec(cursor.text)
    cursor.at = match ? TOKEN.lastIndex : cursor.text.length
    if (!match) return undefined
    const [, reference, number, name, hex, mark, word] = match
    if (number !== undefined) return Number.parseFloat(number)
    if (name !== undefined) return name.replace(/#([\da-f]{2})/gi, (_, digits) => textOfHex(digits))
    if (word !== undefined) return CONSTANTS.has(word) ? CONSTANTS.get(word) : { operator: word }
    if (reference !== undefined) return { reference: Number(reference) }
    if (hex !== undefined) return { text: textOfHex(hex) }
    if (mark === '(') return { text: readString(cursor) }
    if (mark === '[') return [...valuesUntil(']', cursor, depth)]
    if (mark === '<<') return pairsOf([...valuesUntil('>>', cursor, depth)])
    if (mark !== undefined) return { operator: mark }
  }
}

const MAX_DEPTH = 100
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map(Object.entries({ true: true, false: false, null: null }))

/** White space, and the characters that names and operators have (§7.2.3). */
const [WHITE, REGULAR] = [String.raw`[\0\t\n\f\r ]`, String.raw`[^\0\t\n\f\r ()<>\[\]{}\/%]`]
/**
 * In this order: a reference `12 0 R`, a number `-.5` (also a damaged one: `1.2.3`), a name `/Font`, a string in hex
 * `<48 69>`, a bracket, an operator or constant `Tj`, and a comment, which has no group.
 */
const TOKEN = new RegExp(
  `${WHITE}*(?:(\\d{1,10})${WHITE}+\\d{1,5}${WHITE}+R(?!${REGULAR})|([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[.-][\\d.-]*)?)(?!${REGULAR})|` +
    `\\/(${REGULAR}*)|<((?:[\\da-fA-F]|${WHITE})*)>|(<<|>>|[()<>\\[\\]{}])|(${REGULAR}+)|%[^\\r\\n]*)`,
  'y',
)

/** The keys and values that follow each other in a list. */
export function pairsOf(items: readonly PdfValue[]): PdfDictionary {
  const pairs = new Map<string, PdfValue>()
  for (let at = 0; at + 1 < items.length; at += 2) {
    const [key, value = null] = items.slice(at, at + 2)
    if (typeof key === 'string') pairs.set(key, value)
  }
  return pairs
}

/** The values up to a closing bracket; operators between them are left out. */
function* valuesUntil(end: string, cursor: Cursor, depth: number): Generator<PdfValue> {
  for (let item = readItem(cursor, depth + 1); item !== undefined; item = readItem(cursor, depth + 1)) {
    if (!isOperator(item)) yield item
    else if (item.operator === end) return
  }
}

/** Reads the next value; null if there is none. */
export function valueAt(cursor: Cursor): PdfValue {
  const item = readItem(cursor)
  return item === undefined || isOperator(item) ? null : item
}

function isOperator(item: PdfValue | PdfOperator): item is PdfOperator {
  return hasKey(item, 'operator')
}

/** Whether a value is one of the objects with a key. */
export function hasKey<Value, Key extends string>(
  value: Value,
  key: Key,
): value is Extract<Value, Record<Key, unknown>> {
  return typeof value === 'object' && value !== null && key in value
}

/** The bytes of a string; empty if it is none. */
export function textOf(value: PdfValue): string {
  return hasKey(value, 'text') ? value.text : ''
}

function textOfHex(digits: string): string {
  const plain = digits.replaceAll(/[^\da-f]/gi, '')
  // A single digit at the end has a zero behind it; without one, this zero is left out.
  return Buffer.from(`${plain}0`, 'hex').toString('latin1')
}

/** The rest of a string in brackets, which may have brackets in it: `(a (b) \) c)` (§7.3.4.2). */
function readString(cursor: Cursor): string {
  const { text, at: start } = cursor
  for (let depth = 1; depth > 0 && cursor.at < text.length; cursor.at++) {
    const character = text[cursor.at]
    if (character === '\\') cursor.at++
    else depth += NESTING.get(character) ?? 0
  }
  return text.slice(start, cursor.at - 1).replaceAll(/\\([0-7]{1,3}|\r\n|.)/gs, (_, code: string) => textOfEscape(code))
}

/** How brackets change the depth. */
const NESTING: ReadonlyMap<string | undefined, number> = new Map([
  ['(', 1],
  [')', -1],
])

/** The character of an escape without its backslash: `101` is `A`; a line end after a backslash is nothing. */
function textOfEscape(text: string): string {
  const code = Number.parseInt(text, 8)
  return code >= 0 ? String.fromCharCode(code & 0xff) : (ESCAPES.get(text) ?? text)
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', '\n': '', '\r': '', '\r\n': '' }),
)

/** Yields the operators of a content stream with their operands (§7.8.2). An inline image is `ID`, with its pairs. */
export function* operationsIn(text: string): Generator<{ operator: string; operands: PdfValue[] }> {
  const cursor = { text, at: 0 }
  let operands: PdfValue[] = []
  for (let item = readItem(cursor); item !== undefined; item = readItem(cursor)) {
    if (!isOperator(item)) {
      if (operands.length < MAX_OPERANDS) operands.push(item)
      continue
    }
    if (item.operator === 'ID') {
      IMAGE_END.lastIndex = cursor.at
      cursor.at = IMAGE_END.test(text) ? IMAGE_END.lastIndex : text.length
    }
    yield { operator: item.operator, operands }
    operands = []
  }
}

const MAX_OPERANDS = 200
/**
 * The end of the data of an inline image: `EI` before nine characters of text, which pixels hardly have, or fewer at
 * the end.
 */
const IMAGE_END = new RegExp(`${WHITE}EI(?=${WHITE}[\\0\\t\\n\\f\\r -~]{9}|[\\0\\t\\n\\f\\r -~]{0,9}$)`, 'g')
