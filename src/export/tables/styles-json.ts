import { ok } from '../../base/result.ts'
import { guideName } from '../../serving/publications/publications.ts'
import type { MakeExport } from '../format.ts'

/** Colours and type styles with every authored value, under the field names of the API and the folder. */
export const stylesJson: MakeExport = async source => {
  const { publication, isPublished } = source
  const { revision, snapshot } = publication.published
  const head = { name: guideName(source), ...(isPublished && { revision }), snapshot }
  const { colors, types } = publication.content
  const parts = [
    `${JSON.stringify(head, null, 2).slice(0, -2)},\n`,
    ...listValues('colors', await colors()),
    ',\n',
    ...listValues('types', await types()),
    '\n}\n',
  ]
  return ok({ files: [{ path: 'styles.json', content: new TextEncoder().encode(parts.join('')) }], leftOut: [] })
}

/** A list of values, one per line, so that two versions are easy to compare. */
function listValues(name: string, values: readonly object[]): string[] {
  if (values.length === 0) return [`  "${name}": []`]
  const lines = values.map((value, at) => `${at === 0 ? '' : ','}\n    ${JSON.stringify(value)}`)
  return [`  "${name}": [`, ...lines, '\n  ]']
}
