import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { field, parsedJson } from '#platform/base/object.ts'
import { openSealed, sealBytes } from '#platform/exchange/sealed.ts'
import type { ManageContext } from './context.ts'

/** Encrypts fields for a browser that brings them back, so that no process stores them. `bound` names who may open them. */
export function seal({ formSecret }: ManageContext, bound: readonly string[], fields: Fields): string {
  return sealBytes(formSecret, bound, deflateRawSync(JSON.stringify(fields)))
}

/** Reads a field; an absent one is empty. */
export type Field = (name: string) => string
type Fields = Readonly<Record<string, string>>

/** Opens what `seal` made with the same `bound`; undefined for those of another person or page, and for anything else. */
export function unseal({ formSecret }: ManageContext, bound: readonly string[], sealed: string): Field | undefined {
  const packed = openSealed(formSecret, bound, sealed)
  if (!packed) return undefined
  const fields = parsedJson(inflateRawSync(packed).toString())
  return name => `${field(fields, name) ?? ''}`
}
