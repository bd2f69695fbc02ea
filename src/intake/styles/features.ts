import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { readNumber } from '../yaml/numbers.ts'
import { about, refuse } from '../yaml/reader.ts'
import type { YamlNode } from '../yaml/yaml.ts'

const FORM = 'write OpenType tags with whole numbers, as in { tnum: 1, liga: 0 }'
const readSetting = readNumber(
  'a whole number from 0 to 65535, 1 for on and 0 for off',
  number => Number.isInteger(number) && number >= 0 && number <= 65535,
)

/**
 * Reads the OpenType features of a type style: a mapping of tags (four printable ASCII characters, OpenType 1.9
 * "Feature tags") to whole numbers. Remarks on every entry that is wrong.
 */
export function readFeatures(node: YamlNode, problems: Problem[]): Record<string, number> {
  if (node.kind !== 'mapping') {
    problems.push(about('"features"', refuse(node, FORM)))
    return {}
  }
  const features = node.entries.flatMap(({ key, line, value }) => {
    const isTag = /^[ -~]{4}$/.test(key)
    if (!isTag) {
      const message = `"features" has the tag ${quote(key)}; write one of four letters and digits, as in tnum`
      problems.push({ rule: 'value-invalid', line, message })
    }
    const setting = readSetting(value)
    if ('problem' in setting) problems.push(about(`the feature ${quote(key)}`, setting))
    return isTag && 'value' in setting ? [[key, setting.value] as const] : []
  })
  return Object.fromEntries(features)
}
