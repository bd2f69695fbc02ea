import { failed, ok, type Result } from '#platform/base/result.ts'
import { openXml, type XmlText } from './parse-xml.ts'

/** An element below the root, with its attributes and all text in it. */
export type XmlItem = { name: string; attributes: Readonly<Record<string, string>>; text: string }

/** XML that is a list: the name of its root, and the elements directly below. */
export type FlatXml = { root: string; items: XmlItem[] }

/** Reads XML that is a list. The problem ends a sentence. */
export function readFlatXml(xml: string): Result<FlatXml, string> {
  const items: XmlItem[] = []
  const roots: string[] = []
  const problems: string[] = []
  const addText = ({ value, element }: XmlText) => {
    const item = items.at(-1)
    if (item && element.depth > 1) item.text += value
  }
  const reader = openXml({
    open: ({ name, depth, attributes }) => {
      if (depth === 1) roots.push(name)
      if (depth === 2) items.push({ name, attributes: Object.fromEntries(attributes), text: '' })
    },
    text: addText,
    cdata: addText,
    problem: ({ message }) => problems.push(message.slice(0, 100)),
  })
  reader.write(xml)
  reader.close()
  const [[root = ''], [problem]] = [roots, problems]
  return problem === undefined ? ok({ root, items }) : failed(`is not well-formed XML: ${problem}`)
}
