import { once } from '../../base/promise.ts'

/** Loads the library for tokens and keys, once. A module that imported it itself would need its file again. */
export const loadJose: () => Promise<typeof import('jose')> = once(() => import('jose'))
