import { groupsOf } from '#platform/base/text.ts'
import { readArguments } from './markup.ts'

/** The words of a tag of a template engine: `{% name words named="value" %}`. The name of a value is all of it. */
export function readTag(source: string) {
  const inner = source.replace(/^\{[{%:]?[<%]?-?\s*|(?<![\s>%}/-])[\s>%}/-]*$/g, '')
  const [all = '', end, name = ''] = groupsOf(/^(end|\/)?\s*(@?[\w/-]*)/, inner)
  return { inner, name, isEnd: end !== undefined, ...readArguments(inner.slice(all.length)) }
}
