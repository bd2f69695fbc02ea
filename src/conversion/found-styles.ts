import type { Json } from './json.ts'
import type { Notes } from './notes.ts'

/** The styles of one file, in its order, and what was not understood. */
export type FoundStyles = { colors: FoundStyle[]; types: FoundStyle[]; notes: Notes }

/**
 * A colour or a type style of a file, with the values of the keys that `styles/colors.yaml` and `styles/types.yaml` have,
 * not checked yet. It has an id only if the file gives one.
 */
export type FoundStyle = { id?: string; name: string; fields: Map<string, Json> }
