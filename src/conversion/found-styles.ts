import type { Json } from './json.ts'
import type { Notes } from './notes.ts'

/** The styles of one file, in order, with notes about ignored or changed values. */
export type FoundStyles = { colors: FoundStyle[]; types: FoundStyle[]; notes: Notes }

/**
 * A colour or a type style of a file, with unchecked values for the keys of `styles/colors.yaml` or
 * `styles/types.yaml`. It has an id only if the file gives one.
 */
export type FoundStyle = { id?: string; name: string; fields: Map<string, Json> }
