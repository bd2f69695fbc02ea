import { field } from '#platform/base/object.ts'

/** Reads the parameters of an authorization or a token request. A text that is absent is empty. */
export function parametersOf(params: object | undefined) {
  const values = (name: string) => [field(params, name)].flat().filter(value => typeof value === 'string')
  const textOf = (name: string) => values(name)[0] ?? ''
  return {
    client: textOf('client_id'),
    returnAddress: textOf('redirect_uri'),
    scope: textOf('scope'),
    resources: values('resource'),
  }
}
