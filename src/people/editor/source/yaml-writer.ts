import { Document, isCollection, isScalar, Pair, type Scalar, visit, YAMLMap, YAMLSeq } from 'yaml'

/** A new value: a list of strings is written in brackets. */
export type Value = string | boolean | readonly Value[] | { readonly [key: string]: Value }

export type Style = {
  /** Whether it is in brackets. */
  isFlow: boolean
  /** The column of its key or its dash. */
  column: number
  type?: Scalar.Type | undefined
  /** Whether it is a list or mapping in brackets. */
  isFlowItem?: boolean
}

/** Makes a function that writes a pair, or an item of a list, with the indent and the padding of braces of a text. */
export function yamlWriter(text: string): (key: string | undefined, value: Value, style: Style) => string {
  const document = new Document<YAMLMap | YAMLSeq>(null, { schema: 'failsafe', customTags: ['null', 'bool'] })
  const options = {
    indent: indentIn(text),
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Infinity,
    flowCollectionPadding: text.includes('{ '),
  }
  return (key, value, { isFlow, column, type, isFlowItem }) => {
    const node = document.createNode(value)
    if (isScalar(node) && type) node.type = type
    visit(node, {
      Seq: (_, list) => void Object.assign(list, list.items.every(isScalar) && { flow: true }),
      Scalar: (_, scalar) => {
        const isOneLine = scalar.type?.startsWith('BLOCK') !== true && scalar.type !== 'QUOTE_DOUBLE'
        if (isOneLine && `${scalar.value}`.includes('\n')) scalar.type = 'BLOCK_LITERAL'
      },
    })
    if (isCollection(node) && isFlowItem) node.flow = true
    const holder = key === undefined ? new YAMLSeq<unknown>() : new YAMLMap<unknown, unknown>()
    Object.assign(holder, { items: [key === undefined ? node : new Pair(key, node)], flow: isFlow })
    document.contents = holder
    const written = document.toString(options).trimEnd()
    return isFlow ? written.slice(1, -1).trim() : written.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`)
  }
}

/** The indent of the first mapping below a key of a file. */
function indentIn(text: string): number {
  const [, , dash = '', spaces = ''] = /^( *)(- +)?[^\s#-].*:\n\1( +)(?=[^\s#-])/m.exec(text) ?? []
  return spaces.length - dash.length || 2
}
