import { TOKEN_EXTENSION } from '#brand/fields.ts'
import { field } from '#platform/base/object.ts'

/** A token of a file: its group, its id and its content. */
export type ReadToken = {
  group: string
  id: string
  type: unknown
  value: unknown
  description: unknown
  authored: object
}

/** The tokens of a file, in order. */
export function tokensIn(file: unknown): ReadToken[] {
  return groupsIn(file).flatMap(([group, tokens]) =>
    Object.entries(tokens).map(([id, token]) => ({
      group,
      id: `${field(extensionOf(token), 'id') ?? id}`,
      type: field(token, '$type'),
      value: field(token, '$value'),
      description: field(token, '$description'),
      authored: authoredIn(extensionOf(token)),
    })),
  )
}

function extensionOf(token: unknown): object {
  return objectOf(field(field(token, '$extensions'), TOKEN_EXTENSION))
}

/** The authored values of a token; those with braces are one encoded string. */
function authoredIn(extension: object): object {
  const rest = Object.entries(extension).filter(([key]) => key !== 'id' && key !== 'encoded')
  const decoded: unknown = JSON.parse(decodeURIComponent(`${field(extension, 'encoded') ?? '{}'}`))
  return { ...Object.fromEntries(rest), ...objectOf(decoded) }
}

/** The authored styles in a token file, keyed by id. */
export function stylesInTokens(file: unknown, hexOf: (value: unknown) => string) {
  const tokens = tokensIn(file)
  const colors = tokens
    .filter(({ group }) => group === 'color')
    .map(({ id, value, authored }) => [id, { id, hex: hexOf(value), ...authored }] as const)
  const types = tokens
    .filter(({ group }) => group !== 'color')
    .map(({ id, authored }) => [id, { id, ...authored }] as const)
  const others = Object.entries(objectOf(field(aboutFile(file), 'types')))
  return {
    colors: new Map<string, object>(colors),
    types: new Map<string, object>([
      ...types,
      ...others.map(([id, authored]) => [id, { id, ...authoredIn(objectOf(authored)) }] as const),
    ]),
  }
}

/** The metadata of a file. */
export function aboutFile(file: unknown): object {
  return objectOf(field(field(file, '$extensions'), TOKEN_EXTENSION))
}

function groupsIn(file: unknown): [string, object][] {
  return Object.entries(objectOf(file)).filter(([name]) => !name.startsWith('$'))
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
