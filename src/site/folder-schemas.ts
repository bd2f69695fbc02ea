import { readFile } from 'node:fs/promises'
import { once } from '../base/promise.ts'
import type { Representation } from '../serving/replies/response-cache.ts'

const FOLDER = new URL('../../schemas/', import.meta.url)
/** The schemas by name, each read once. */
const SCHEMAS: ReadonlyMap<string, () => Promise<Representation>> = new Map(
  ['workspace', 'project', 'colors', 'types', 'files'].map(name => [
    name,
    once(async () => ({ bytes: await readFile(new URL(`${name}.json`, FOLDER)), type: TYPE, about: ABOUT })),
  ]),
)

/**
 * The JSON Schema of a file of brand folders, at `/schemas/colors.json` and so on; undefined for other paths. Editors in
 * browsers may read it from any origin, because it contains nothing about any brand.
 */
export function folderSchema(path: string): (() => Promise<Representation>) | undefined {
  return SCHEMAS.get(/^\/schemas\/([a-z]+)\.json$/.exec(path)?.[1] ?? '')
}

/** Reads all schemas, so that requests need no file. */
export async function loadSchemas(): Promise<void> {
  for (const read of SCHEMAS.values()) await read()
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
