import type { JsonSchema, Tool } from './tool.ts'

export const TEXT = { type: 'string' }
export const NUMBER = { type: 'number' }
export const WHOLE = { type: 'integer' }
export const FLAG = { type: 'boolean' }
export const TEXTS = { type: 'array', items: TEXT }

/** The schema of the arguments of a tool. */
export function input(properties: Tool['input']['properties'], required: readonly string[]): Tool['input'] {
  return { type: 'object', properties, required, additionalProperties: false }
}

type Properties = Readonly<Record<string, JsonSchema>>

/** Structured content. Every reply may also have a hint. Names of optional fields are separated by spaces. */
export function output(properties: Properties, optional = ''): JsonSchema {
  return object({ ...properties, ...texts('hint') }, `${optional} hint`)
}

export function list(properties: Properties, optional = ''): JsonSchema {
  return { type: 'array', items: object(properties, optional) }
}

function object(properties: Properties, optional: string): JsonSchema {
  const required = Object.keys(properties).filter(name => !optional.split(' ').includes(name))
  return { type: 'object', properties, required }
}

/** Text fields, by names separated by spaces. */
export function texts(names: string): Properties {
  return Object.fromEntries(names.split(' ').map(name => [name, TEXT]))
}

export function numbers(names: string): Properties {
  return Object.fromEntries(names.split(' ').map(name => [name, NUMBER]))
}
