import { readFile } from 'node:fs/promises'
import type { Representation } from '../serving/replies/response-cache.ts'

const FOLDER = new URL('../../schemas/', import.meta.url)
const NAMES: readonly string[] = ['workspace', 'project', 'colors', 'types', 'files']

/**
 * The JSON Schema of a file of brand folders, at `/schemas/colors.json` and so on; undefined for other paths. Editors in
 * browsers may read it from any origin, because it contains nothing about any brand.
 */
export function folderSchema(path: string): (() => Promise<Representation>) | undefined {
  const name = /^\/schemas\/([a-z]+)\.json$/.exec(path)?.[1]
  if (name === undefined || !NAMES.includes(name)) return undefined
  return async () => ({ bytes: await readFile(new URL(`${name}.json`, FOLDER)), type: TYPE, about: ABOUT })
}

/** JSON Schema draft-07 §9.1. */
const TYPE = ['Content-Type', 'application/schema+json'] as const
const ABOUT = [
  'Cache-Control',
  'public, max-age=300',
  'Vary',
  'Accept-Encoding',
  'Access-Control-Allow-Origin',
  '*',
] as const
