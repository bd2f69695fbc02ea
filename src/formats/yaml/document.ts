import { type Document, parse, parseDocument } from 'yaml'

/** Parses YAML with LF line ends, to change it: scalars are strings as written, booleans or null. */
export function parseYamlDocument(text: string): Document {
  return parseDocument(text, { schema: 'failsafe', customTags: ['null', 'bool'], uniqueKeys: false })
}

/**
 * The value of YAML 1.2 with its numbers and dates.
 *
 * @throws if it is damaged
 */
export function yamlValue(text: string): unknown {
  return parse(text, { logLevel: 'silent' })
}
